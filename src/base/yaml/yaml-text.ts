// A YAML text as a document and a value, or what is wrong with it, in words of ours where the library's are for those who program it.
import {type Document, isAlias, isScalar, type Node, type Pair, parseDocument, visit, type YAMLError} from 'yaml'
import {firstLine} from '../errors.ts'

/** Larger than anything that somebody wrote by hand. */
export const mostBytes = 1_000_000

export interface YamlProblem {
  /** The middle of a sentence. */
  readonly what: string
  readonly offset: number
}

export interface YamlText {
  /** Absent when it was not even looked at. */
  readonly document?: Document
  readonly problems: readonly YamlProblem[]
  /** Undefined when there are problems. */
  readonly value?: unknown
}

/** One mistake brings others after it: the first of a line is told, and not more than these. */
const mostTold = 10

const tooDeep = 'it must be YAML: lists and maps are nested too deeply'

/** @param what the file is one of: 'scenario' */
export function readYaml(text: string, what: string): YamlText {
  const bytes = Buffer.byteLength(text)
  if (bytes > mostBytes)
    return {problems: [{what: `it must be at most ${mostBytes / 1e6} MB: it is ${(bytes / 1e6).toFixed(1)} MB`, offset: 0}]}
  try {
    // What is left of a document that is nested too deeply says no more.
    const document = parseDocument(text, {logLevel: 'error'})
    if (document.errors.some(isExhausted)) return {problems: [{what: tooDeep, offset: 0}]}
    if (document.errors.length > 0) return {document, problems: problemsOf(document.errors, text, what)}
    const problems = keysAndAliases(document)
    return problems.length > 0 ? {document, problems} : {document, ...plainValue(document)}
  } catch (error) {
    if (error instanceof RangeError) return {problems: [{what: tooDeep, offset: 0}]}
    throw error
  }
}

const isExhausted = ({code, message}: YAMLError): boolean => code === 'RESOURCE_EXHAUSTION' || /call stack|Stack overflow/.test(message)

function problemsOf(errors: readonly YAMLError[], text: string, what: string): readonly YamlProblem[] {
  const first = new Map<number, YamlProblem>()
  let line = 1
  let at = 0
  for (const error of [...errors].sort((a, b) => a.pos[0] - b.pos[0])) {
    const [offset] = error.pos
    for (; at < offset; at++) if (text[at] === '\n') line++
    if (!first.has(line)) first.set(line, {what: `it must be YAML: ${wordsOf(error, what)}`, offset})
  }
  return [...first.values()].slice(0, mostTold)
}

function wordsOf({code, message}: YAMLError, what: string): string {
  if (code === 'MULTIPLE_DOCS') return `a file is one ${what}, and after this '---' there is another document`
  return (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '').slice(0, 200)
}

/** What the library tells of only when it makes a value, and then without a place. */
function keysAndAliases(document: Document): readonly YamlProblem[] {
  const problems: YamlProblem[] = []
  const anchors = new Map<string, unknown>()
  visit(document, {
    Node: (_key, node) => {
      if (isAlias(node)) {
        if (!anchors.has(node.source)) problems.push(problem(`there is no anchor &${node.source} before *${node.source}`, node))
      } else if (node.anchor !== undefined) anchors.set(node.anchor, node)
    },
    Pair: (_key, {key}: Pair) => {
      const node = isAlias(key) ? anchors.get(key.source) : key
      if (node !== null && node !== undefined && !isScalar(node))
        problems.push(problem('a key is a list or a map, and must be a text', key as Node))
    },
  })
  return problems.slice(0, mostTold)
}

const problem = (what: string, node: Node): YamlProblem => ({what: `it must be YAML: ${what}`, offset: node.range?.[0] ?? 0})

/** Aliases within aliases may stand for more than memory holds. */
function plainValue(document: Document): Omit<YamlText, 'document'> {
  try {
    return {problems: [], value: document.toJS()}
  } catch (error) {
    if (error instanceof RangeError) throw error
    return {problems: [{what: `it must be YAML: ${firstLine(error)}`, offset: 0}]}
  }
}
