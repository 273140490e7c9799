// Rules about a socket as a whole.
import type {SocketFault} from '../../src/faults/fault.ts'
import {passed} from '../../src/faults/plan.ts'
import type {Rule} from '../../src/faults/rule.ts'

export const noneOfCalls = (name: string, socket: SocketFault): Rule => ({name, match: {}, fault: {kind: socket, plan: passed, socket}})
