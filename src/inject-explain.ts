// What rules do, in a sentence each, and how many calls of a recording they would have had.
import {readFile} from 'node:fs/promises'
import {UserError} from './base/errors.ts'
import {counted, decide} from './faults/decide.ts'
import {drawsOf} from './faults/draws.ts'
import {explain} from './faults/explain.ts'
import {readRules} from './faults/read-rules.ts'
import type {Rule} from './faults/rule.ts'
import {recordedCalls} from './proxy/trace/recorded-calls.ts'

export interface InjectExplainRequest {
  /** A file of rules. */
  readonly rules: string
  /** A file of calls, as `trace -o jsonl` prints them. */
  readonly against?: string
  readonly seed: number
}

export interface ExplainedRule {
  readonly name: string
  readonly fault: string
  readonly says: string
  /** Of the recording's calls: those that matched, and those that it would have had. */
  readonly seen?: number
  readonly taken?: number
}

export interface InjectExplained {
  readonly rules: readonly ExplainedRule[]
  /** How many calls the recording has. */
  readonly calls?: number
}

/** @throws UserError */
export async function injectExplain({rules: file, against, seed}: InjectExplainRequest): Promise<InjectExplained> {
  const rules = await rulesOf(file)
  const explained = rules.map((rule) => ({name: rule.name, fault: rule.fault.kind, says: explain(rule)}))
  if (against === undefined) return {rules: explained}
  const calls = recordedCalls(await textOf(against, '--against'), against)
  const draw = drawsOf(seed)
  let standing = counted(rules, calls[0]?.at ?? 0)
  for (const {at, call} of calls) standing = decide(standing, call, {at, draw}).rules
  return {
    calls: calls.length,
    rules: explained.map((each, index) => ({...each, seen: standing[index]?.seen ?? 0, taken: standing[index]?.taken ?? 0})),
  }
}

/** @throws UserError that names the line */
export async function rulesOf(file: string): Promise<readonly Rule[]> {
  return readRules(await textOf(file, '--rules'), file)
}

export async function textOf(file: string, flag: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException
    throw new UserError(`Cannot use ${flag} as it must be a file that can be read: ${code === 'ENOENT' ? 'there is none' : code} (${file})`)
  }
}
