// What rules do, in a sentence each, and how many calls of a recording they would have had.
import {constants} from 'node:fs'
import {open} from 'node:fs/promises'
import {UserError} from './base/errors.ts'
import {usualFaultSeed} from './base/seed.ts'
import {drawsOf} from './faults/draws.ts'
import {explain} from './faults/explain.ts'
import {parseRules, readRules} from './faults/file/read-rules.ts'
import type {RulesFile} from './faults/file/rules-schema.ts'
import {kindOf} from './node/bundle/folder.ts'
import {inMiB} from './node/bundle/limits.ts'
import {readAtMost} from './node/read-at-most.ts'
import type {InjectExplained} from './proxy/trace/explained-rules.ts'
import {recordedCalls} from './proxy/trace/recorded-calls.ts'
import {tryRules} from './proxy/trace/try-rules.ts'

export interface InjectExplainRequest {
  /** A file of rules. */
  readonly rules: string
  /** A file of calls, as `trace -o jsonl` prints them. */
  readonly against?: string
  /** Else that of the file, or 1. */
  readonly seed?: number
}

/** What is wrong with the file, each with its line; or what its rules do. */
export type InjectExplain = {readonly problems: readonly string[]} | InjectExplained

/** @throws UserError when a file cannot be read, or the recording is none */
export async function injectExplain({rules: file, against, seed}: InjectExplainRequest): Promise<InjectExplain> {
  const read = readRules(await textOf(file, '--rules'), file)
  if (!('value' in read)) return {problems: read.problems}
  const {rules, seed: own = usualFaultSeed} = read.value
  const explained = rules.map((rule) => ({name: rule.name, fault: rule.fault.kind, says: explain(rule)}))
  if (against === undefined) return {rules: explained}
  const calls = recordedCalls(await textOf(against, '--against'), against)
  const draw = drawsOf(seed ?? own)
  const {rules: tried, undecoded} = tryRules(rules, calls, draw)
  return {
    calls: calls.length,
    ...(undecoded === 0 ? {} : {undecoded}),
    rules: explained.map((each, index) => {
      const {seen = 0, taken = 0, unknown = 0} = tried[index] ?? {}
      return {...each, seen, taken, ...(unknown === 0 ? {} : {unknown})}
    }),
  }
}

/** @throws UserError with what is wrong first */
export async function rulesIn(file: string): Promise<RulesFile> {
  return parseRules(await textOf(file, '--rules'), file)
}

/** Bytes. A recording of a busy node's day is some hundred megabytes. */
const most = {'--rules': 2 ** 20, '--against': 256 * 2 ** 20} as const

/** Of a regular file alone: others may never end, or never begin. @throws UserError */
export async function textOf(file: string, flag: keyof typeof most): Promise<string> {
  const failed = (why: string) => new UserError(`Cannot use ${flag} as it must be a file that can be read: ${why} (${file})`)
  const unread = ({code, message}: NodeJS.ErrnoException) => Promise.reject(failed(code === 'ENOENT' ? 'there is none' : (code ?? message)))
  await using opened = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch(unread)
  const stats = await opened.stat()
  if (!stats.isFile()) throw failed(`it is ${kindOf(stats)}`)
  const bytes = await readAtMost(opened, most[flag]).catch(unread)
  if (bytes === undefined) throw failed(`it has more than ${inMiB(most[flag])}`)
  return new TextDecoder().decode(bytes)
}
