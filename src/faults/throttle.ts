// The answer comes slowly.
import type {Fault} from './fault.ts'

export const throttle = (bytesPerSecond: number): Fault => ({
  kind: 'throttle',
  plan: {before: 0, forward: 1, upstreamDeadline: 'keep', reply: {kind: 'throttle', bytesPerSecond}},
})
