// The kubelet tells a driver that it is registered, and the driver never hears: NotifyRegistrationStatus is answered and not passed on.
import type {Fault} from './fault.ts'
import type {Match} from './rule.ts'

/** The only call that it is about. */
export const notifiesRegistration = {to: 'registration', method: 'NotifyRegistrationStatus'} as const satisfies Match

/** On a registration socket that was taken over, the kubelet would see another registration instead: nothing in plugins_registry ever is. */
export const registerLost = (): Fault => ({
  kind: 'register-lost',
  plan: {before: 0, forward: 0, upstreamDeadline: 'keep', reply: {kind: 'replace', with: {response: {}}}},
  onlyWith: 'listen',
})
