// Which messages of a call its plan must have as a whole before any of them can go on. What is larger than `mostBytes` cannot be had: the call passes.
import type {Plan} from './plan.ts'

export interface WholeMessages {
  readonly request: boolean
  /** Of a stream each of its messages. */
  readonly reply: boolean
}

export const mostBytes = 64 * 1024 * 1024

export const wholeMessages = ({request = [], reply}: Plan): WholeMessages => ({
  request: request.length > 0 || reply.kind === 'stale',
  reply: reply.kind === 'edit' || reply.kind === 'stale',
})
