// readKubelet() as tests call it: on ports of theirs, with a deadline that does not pass by itself.
import type {Clock} from '../../../src/base/clock.ts'
import type {Credentials} from '../../../src/node/api-server/credentials.ts'
import {readKubelet} from '../../../src/node/kubelet-api/read-kubelet.ts'
import {Secret} from '../../../src/node/secret.ts'

const never: Clock = {now: () => Date.parse('2026-11-30T03:00:00Z'), sleep: () => new Promise(() => undefined)}

export interface Ports {
  readonly readOnly?: number
  readonly secure?: number
  readonly healthz?: number
}

type Question = Parameters<typeof readKubelet>[0]

export function ask({readOnly = 0, secure = 0, healthz = 0}: Ports, more: Partial<Question> = {}) {
  const fact = (port: number) => ({value: {host: '127.0.0.1', port}, why: 'the test'})
  return readKubelet({
    facts: {ports: {readOnly: fact(readOnly), secure: fact(secure), healthz: fact(healthz)}},
    credentials: [],
    clock: never,
    signal: new AbortController().signal,
    deadlineMs: 10_000,
    ...more,
  })
}

export const tokenCredentials = (token: string): Credentials => ({
  source: 'the test',
  server: new URL('https://127.0.0.1:1'),
  tls: {verify: true},
  token: new Secret(token),
})
