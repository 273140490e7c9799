// The text of a file that people write as a value, or what is wrong with it, each with its line.
import * as v from 'valibot'
import {type Document, isAlias, isMap, isScalar, isSeq, type Node} from 'yaml'
import type {Path} from './path-words.ts'
import {type Problem, problemOf} from './problem.ts'
import {readYaml} from './yaml-text.ts'

export interface FileKind<Schema extends v.GenericSchema> {
  /** In a sentence: 'scenario'. */
  readonly what: string
  /** What it is one of, where that is another word. */
  readonly one?: string
  readonly schema: Schema
  /** What the schema cannot tell. */
  readonly crossCheck: (value: v.InferOutput<Schema>) => readonly Problem[]
  /** The same of a value that the schema has refused, as far as it can be told; what that said is not said again. */
  readonly crossCheckPartly?: (value: unknown) => readonly Problem[]
}

export type FileRead<Value> = {readonly value: Value; readonly problems: readonly []} | {readonly problems: readonly [string, ...string[]]}

/** As many as somebody reads: of the others, nothing is said but how many there are. */
const mostTold = 100

/** @param file its path, for the messages. */
export function readFile<Schema extends v.GenericSchema>(
  text: string,
  file: string,
  {what, one: single = what, schema, crossCheck, crossCheckPartly}: FileKind<Schema>,
): FileRead<v.InferOutput<Schema>> {
  const yaml = readYaml(text, single)
  const lines = linesOf(text)
  const {document} = yaml
  const said = (wrong: string, offset: number) => `Cannot read ${what} ${nameOf(document, file)} as ${wrong} (${file}:${lines(offset)})`
  const [first, ...more] = yaml.problems.map((problem) => said(problem.what, problem.offset))
  if (first !== undefined) return {problems: [first, ...more]}
  const result = v.safeParse(schema, yaml.value, {abortPipeEarly: true})
  const wrong = result.success ? crossCheck(result.output) : [...result.issues.map(problemOf), ...(crossCheckPartly?.(yaml.value) ?? [])]
  // Of a list that must be a map, each key that it lacks is an issue.
  const told = wrong
    .slice(0, mostTold)
    .map((problem) => said(problem.what, document === undefined ? 0 : offsetOf(document, problem.path, problem.ofKey)))
  if (wrong.length > mostTold) told.push(said(`it has ${wrong.length - mostTold} more mistakes`, 0))
  const [one, ...others] = new Set(told)
  if (one !== undefined) return {problems: [one, ...others]}
  return {value: result.output as v.InferOutput<Schema>, problems: []}
}

/** Of an offset, counted from 1. */
function linesOf(text: string): (offset: number) => number {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    const after = starts.findIndex((start) => start > offset)
    return after === -1 ? starts.length : after
  }
}

function nameOf(document: Document | undefined, file: string): string {
  const name = isMap(document?.contents) ? document.contents.get('name') : undefined
  return typeof name === 'string'
    ? name
    : (file
        .split('/')
        .at(-1)
        ?.replace(/\.(ya?ml|json)$/, '') ?? file)
}

/** Of the value at the path or its key; of what is around it, when it is not there. */
function offsetOf(document: Document, path: Path, ofKey: boolean): number {
  let node: unknown = document.contents
  let offset = startOf(node) ?? 0
  for (const [index, key] of path.entries()) {
    const inside = isAlias(node) ? node.resolve(document) : node
    if (isMap(inside)) {
      const pair = inside.items.find((item) => isScalar(item.key) && `${item.key.value}` === `${key}`)
      node = ofKey && index === path.length - 1 ? pair?.key : (pair?.value ?? pair?.key)
    } else node = isSeq(inside) ? inside.items[Number(key)] : undefined
    offset = startOf(node) ?? offset
  }
  return offset
}

const startOf = (node: unknown): number | undefined => (node as Node | null | undefined)?.range?.[0]
