// What a check finds on a node of real parts, but for what is only noted.
import type {HealthyNode} from './healthy-node.ts'
import {kubelimbo} from './kubelimbo.ts'
import {timestamp} from './timestamp.ts'

export interface Alarm {
  readonly code: string
  readonly severity: string
  readonly subject: unknown
  readonly cause: unknown
  readonly message: string
}

/** As if an hour had passed: what is young may still heal, and is only noted. */
export async function alarms(node: Pick<HealthyNode, 'flags' | 'env'>): Promise<Alarm[]> {
  const inAnHour = timestamp(Date.now() + 3_600_000)
  const {stdout} = await kubelimbo(['check', ...node.flags, '--now', inAnHour, '-o', 'json'], node.env)
  const {findings}: {findings: Alarm[]} = JSON.parse(stdout)
  const alarming = findings.filter(({severity}) => severity !== 'info')
  return alarming.map(({code, severity, subject, cause, message}) => ({code, severity, subject, cause, message}))
}
