// Calls that the client gives up: by deadline and by cancelling. What the server saw of it is asked of the server.
import {until} from '../until.ts'
import type {SuiteClient} from './suite-client.ts'
import {brief, type Case} from './told.ts'

const nothing = new Uint8Array(1)
let names = 0

async function seen(client: SuiteClient, name: string, pattern: RegExp): Promise<string> {
  return until(
    async () => {
      const {messages} = await client.unary('Seen', nothing, {metadata: {'x-name': name}})
      const text = Buffer.from(messages[0] ?? []).toString()
      if (!pattern.test(text)) throw new Error(`The server has seen '${text}'`)
      return text
    },
    100,
    30,
  )
}

export const givingUpCases: Readonly<Record<string, Case>> = {
  'a deadline that passes': async (client) => {
    const name = `deadline-${names++}`
    // Both have the deadline, and each ends the call when it passes: which is first is a race.
    const {code} = await client.unary('Hang', nothing, {metadata: {'x-name': name}, timeoutMs: 300})
    const text = await seen(client, name, /(cancell?ed|exceeded)$/)
    return {code: code.replace(/^(CANCELLED|DEADLINE_EXCEEDED)$/, 'over'), seen: text.replace(/context .*/, 'over')}
  },
  'a call that is cancelled': async (client) => {
    const name = `cancel-${names++}`
    const cancel = new AbortController()
    const call = client.unary('Hang', nothing, {metadata: {'x-name': name}, signal: cancel.signal})
    const running = await seen(client, name, /^running/)
    cancel.abort()
    const {code} = brief(await call)
    return {code, running, seen: await seen(client, name, /cancell?ed$/)}
  },
}
