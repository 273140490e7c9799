// Which fault of the socket is in force, and when that may change by itself.
import {type CountedRule, isInForce} from '../../faults/decide.ts'
import type {SocketFault} from '../../faults/fault.ts'
import type {Rule} from '../../faults/rule.ts'

/** With when its time began. */
export type ArmedRule = Pick<CountedRule, 'rule' | 'armedAt'>

export interface SocketFaultNow {
  readonly fault?: SocketFault
  readonly rule?: Rule
  /** The next moment at which a rule's time begins or ends; absent: none. */
  readonly changesAt?: number
}

/** The first rule in force decides. */
export function socketFaultAt(rules: readonly ArmedRule[], now: number): SocketFaultNow {
  const faults = rules.filter(({rule}) => rule.fault.socket !== undefined)
  const edges = faults.flatMap(({rule: {from = 0, until}, armedAt}) =>
    [armedAt + from, ...(until === undefined ? [] : [armedAt + until])].filter((at) => at > now),
  )
  const first = faults.find((each) => isInForce(each, {at: now}))
  return {
    ...(first?.rule.fault.socket === undefined ? {} : {fault: first.rule.fault.socket, rule: first.rule}),
    ...(edges.length === 0 ? {} : {changesAt: Math.min(...edges)}),
  }
}
