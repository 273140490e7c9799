// An earlier report: what was in it is known, and only what is new since fails a check.
import * as v from 'valibot'
import {firstLine, UserError} from '../base/errors.ts'
import {firstWrong} from '../node/first-wrong.ts'
import {moment} from '../node/moment.ts'
import {readNamedFile} from '../node/named-file.ts'
import type {Machine} from '../node/runtime-source.ts'
import {atLeast, type Finding, type Severity, type Subject, severities} from './finding.ts'
import {findingKey} from './finding-key.ts'
import type {CheckReport} from './report.ts'

const text = v.string()

/** All that tells one subject from another, in one order. Fields of a later version are nothing that we could compare. */
const identity = v.object({
  kind: text,
  namespace: v.optional(text),
  name: v.optional(text),
  uid: v.optional(text),
  id: v.optional(text),
  path: v.optional(text),
  driver: v.optional(text),
  handle: v.optional(text),
  pod: v.optional(text),
  podUid: v.optional(text),
} satisfies Record<keyof Subject, unknown>)

/** Only what the comparison needs: the rest may be another version's. */
const schema = v.object({
  apiVersion: v.literal('kubelimbo/v1'),
  kind: v.literal('CheckReport'),
  metadata: v.object({
    node: text,
    when: moment,
  }),
  findings: v.array(v.object({code: text, severity: v.picklist(severities), subject: identity})),
})

export interface Baseline {
  readonly node: string
  readonly when: string
  /** Of each code and subject, how severe it was. */
  readonly known: ReadonlyMap<string, Severity>
}

/** Thousands of findings. */
const mostBytes = 16 * 1024 * 1024

const hint = 'a baseline is what `kubelimbo check -o json` printed before'

/** @throws UserError when the file is no report. */
export async function readBaseline(path: string, {host}: Pick<Machine, 'host'>): Promise<Baseline> {
  return await parseBaseline(await readNamedFile({path, what: 'the baseline', most: mostBytes}, host.reach), path)
}

/** @throws UserError saying what is wrong first. `file` is its path, for the message. */
export async function parseBaseline(json: string, file: string): Promise<Baseline> {
  const result = v.safeParse(schema, await documentOf(json, file), {abortEarly: true})
  if (!result.success) throw new UserError(`Cannot use ${file} as a baseline as ${firstWrong(result.issues[0])}`, {hint})
  const {metadata, findings} = result.output
  const known = new Map<string, Severity>()
  for (const finding of findings) {
    const key = keyOf(finding)
    const before = known.get(key)
    if (before === undefined || atLeast(finding.severity, before)) known.set(key, finding.severity)
  }
  return {...metadata, known}
}

async function documentOf(written: string, file: string): Promise<unknown> {
  const cannot = (why: string, cause?: unknown) => new UserError(`Cannot use ${file} as a baseline as it must be ${why}`, {hint, cause})
  if (written.trim() === '') throw cannot('a report: it is empty')
  // Of a torn JSON, YAML would complain in a way that misleads.
  const isJson = /^\s*[{[]/.test(written)
  try {
    return isJson ? JSON.parse(written) : (await import('yaml')).parse(written, {logLevel: 'error'})
  } catch (error) {
    throw cannot(`${isJson ? 'JSON' : 'JSON or YAML'}: ${firstLine(error)}`, error)
  }
}

/** The report with what the baseline knows marked. What got more severe since is new. */
export function comparedTo(report: CheckReport, {node, when, known}: Baseline): CheckReport {
  const findings = report.findings.map((finding): Finding => {
    const before = known.get(keyOf(finding))
    return before !== undefined && atLeast(before, finding.severity) ? {...finding, known: true} : finding
  })
  return {...report, metadata: {...report.metadata, baseline: {node, when}}, findings}
}

/** Paths and pods of one node are never those of another: all of it would be new. */
export function strangerWarnings({metadata}: CheckReport, {node}: Baseline): readonly string[] {
  const differ = node !== '' && metadata.node !== '' && node !== metadata.node
  return differ ? [`the baseline is of node ${node}, and this is ${metadata.node}`] : []
}

function keyOf({code, subject}: {readonly code: string; readonly subject: v.InferInput<typeof identity>}): string {
  return findingKey({code, subject: v.parse(identity, subject)})
}
