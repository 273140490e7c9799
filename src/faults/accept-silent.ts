// Connections are taken, and nothing is ever sent, not even SETTINGS.
import type {Fault} from './fault.ts'
import {passed} from './plan.ts'

export const acceptSilent = (): Fault => ({kind: 'accept-silent', plan: passed, socket: 'accept-silent'})
