// A scenario's text as a Scenario, or what is wrong with it, each with its line.
import * as v from 'valibot'
import {type Document, isAlias, isMap, isScalar, isSeq, type Node} from 'yaml'
import {UserError} from '../base/errors.ts'
import {crossCheck} from './cross-check.ts'
import {type Path, pathWords} from './path-words.ts'
import type {Problem} from './problem.ts'
import {type Scenario, scenarioSchema} from './schema/scenario.ts'
import {wrongKey} from './schema/values.ts'
import {readYaml} from './yaml-text.ts'

export type ScenarioRead =
  | {readonly scenario: Scenario; readonly problems: readonly []}
  | {readonly problems: readonly [string, ...string[]]}

/** As many as somebody reads: of the others, nothing is said but how many there are. */
const mostTold = 100

/** @param file its path, for the messages. */
export function readScenario(text: string, file: string): ScenarioRead {
  const yaml = readYaml(text)
  const lines = linesOf(text)
  const {document} = yaml
  const said = (what: string, offset: number) => `Cannot read scenario ${nameOf(document, file)} as ${what} (${file}:${lines(offset)})`
  const [first, ...more] = yaml.problems.map(({what, offset}) => said(what, offset))
  if (first !== undefined) return {problems: [first, ...more]}
  const result = v.safeParse(scenarioSchema, yaml.value, {abortPipeEarly: true})
  const wrong = result.success ? crossCheck(result.output) : result.issues.map(problemOf)
  // Of a list that must be a map, each key that it lacks is an issue.
  const told = wrong
    .slice(0, mostTold)
    .map(({what, path, ofKey}) => said(what, document === undefined ? 0 : offsetOf(document, path, ofKey)))
  if (wrong.length > mostTold) told.push(said(`it has ${wrong.length - mostTold} more mistakes`, 0))
  const [one, ...others] = new Set(told)
  if (one !== undefined) return {problems: [one, ...others]}
  return {scenario: result.output as Scenario, problems: []}
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

/** @throws UserError with what is wrong first. */
export function parseScenario(text: string, file: string): Scenario {
  const read = readScenario(text, file)
  if ('scenario' in read) return read.scenario
  throw new UserError(read.problems[0], {hint: `\`kubelimbo repro validate ${file}\` shows all that is wrong with it`})
}

function problemOf(issue: v.BaseIssue<unknown>): Problem {
  const items = issue.path ?? []
  const path = items.map(({key}) => (typeof key === 'number' ? key : `${key}`))
  const ofKey = items.at(-1)?.origin === 'key' || issue.requirement === wrongKey
  const around = items.at(-1)?.input
  if (issue.type === 'strict_object' && Array.isArray(around)) {
    return {what: `${pathWords(path.slice(0, -1))} must be a map: it is ${shown(around)}`, path: path.slice(0, -1), ofKey: false}
  }
  if (issue.type === 'strict_object' && issue.expected === 'never') {
    return {
      what: `${pathWords(path.slice(0, -1))} must have only keys that there are: it has '${path.at(-1)}', ${issue.message}`,
      path,
      ofKey,
    }
  }
  if (ofKey && issue.received === 'undefined')
    return {what: `${pathWords(path)} must be given: it is not there`, path: path.slice(0, -1), ofKey: false}
  const what = ofKey ? `the key ${pathWords(path)}` : pathWords(path)
  return {what: `${what} must be ${issue.message}: it is ${ofKey ? `'${path.at(-1)}'` : shown(issue.input)}`, path, ofKey}
}

function shown(input: unknown): string {
  if (input === null || input === undefined) return 'empty'
  if (Array.isArray(input)) return input.length === 0 ? 'an empty list' : 'a list'
  if (typeof input === 'object') return 'a map'
  return typeof input === 'string' ? `'${input.slice(0, 120)}'` : `${input}`
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
