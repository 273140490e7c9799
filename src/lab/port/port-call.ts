// A call to one of the servers that a lab has, as rules and people see it.
import type {MatchedCall} from '../../faults/rule.ts'
import type {Service} from '../../timeline/event.ts'

export type PortCall = MatchedCall & {readonly to: Service}
