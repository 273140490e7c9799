// What a suite of clients says of an answer, so that it can be compared and read.
import {createHash} from 'node:crypto'
import type {Answer, SuiteClient} from './suite-client.ts'

/** Returns plain data. */
export type Case = (client: SuiteClient) => Promise<unknown>

/** Messages are told by size and hash; what is empty is left out. */
export const brief = ({messages, ...rest}: Answer) =>
  Object.fromEntries(Object.entries({...rest, messages: messages.map(told)}).filter(([, value]) => Object.keys(value).length > 0))

export const told = (message: Uint8Array | undefined): string =>
  message === undefined ? 'none' : `${message.length} ${createHash('sha256').update(message).digest('hex').slice(0, 8)}`

/** No zeros only, and the same each time. */
export const content = (size: number, seed = 1): Uint8Array =>
  Uint8Array.from({length: size}, (_, at) => (at * 31 + seed * 17 + (at >> 8)) & 255)
