// The socket's file is not there.
import type {Fault} from './fault.ts'
import {passed} from './plan.ts'

export const noSocket = (): Fault => ({kind: 'no-socket', plan: passed, socket: 'no-socket'})
