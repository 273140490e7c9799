// Nobody listens on the socket, and its file stays.
import type {Fault} from './fault.ts'
import {passed} from './plan.ts'

export const refuse = (): Fault => ({kind: 'refuse', plan: passed, socket: 'refuse'})
