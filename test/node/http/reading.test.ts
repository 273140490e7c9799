import {expect, test} from 'vitest'
import {systemClock} from '../../../src/base/clock.ts'
import {bodyOf, readHttp} from '../../../src/node/http/reading.ts'
import type {Route} from '../../../src/node/http/routes.ts'
import {read} from '../../../src/node/reading.ts'
import {closedPort, fakeServer, rawServer} from '../../support/fake-kubelet-http.ts'

const route = (port: number): Route => ({target: {url: new URL(`http://127.0.0.1:${port}`)}, as: ''})

async function readingOf(ports: readonly number[], more: {readonly deadlineMs?: number; readonly mayBeDenied?: boolean} = {}) {
  const {deadlineMs = 10_000, ...question} = more
  const {reading} = await readHttp(
    {routes: ports.map(route), path: '/healthz', decode: (reply) => read(bodyOf(reply)), help: 'it takes more', ...question},
    {clock: systemClock, signal: new AbortController().signal, deadlineMs},
  )
  return reading
}

const answering = async (status: number) => (await fakeServer({'/healthz': [status, 'no']})).port

test('a reading is refused where nothing listens at any port', async () => {
  expect(await readingOf([await closedPort(), await closedPort()])).toMatchObject({state: 'failed', kind: 'refused'})
})

test.each([401, 403])('a reading is denied by %i, whoever refuses beside it', async (status) => {
  const reading = await readingOf([await closedPort(), await answering(status)])
  expect(reading).toMatchObject({state: 'failed', kind: 'denied', why: expect.stringMatching(/^not allowed.*it takes more$/)})
})

test('a reading is not denied where one is let in and gets an error: that is told first', async () => {
  const reading = await readingOf([await answering(403), await answering(500)])
  expect(reading).toMatchObject({state: 'failed', why: expect.stringMatching(/^http:\S+: it answers 500, 'no'; not allowed: .*403/)})
  expect(reading).not.toHaveProperty('kind')
})

test('a reading that may be denied is absent, which is no failure', async () => {
  expect(await readingOf([await answering(403)], {mayBeDenied: true})).toMatchObject({state: 'absent'})
})

test('a reading is silent where the connection is taken and nothing comes, with the time', async () => {
  const {port} = await rawServer(() => undefined)
  expect(await readingOf([port], {deadlineMs: 80})).toMatchObject({state: 'failed', kind: 'silent', tookMs: expect.any(Number)})
})

test.each<[string, () => Promise<readonly number[]>]>([
  ['has no such path', async () => [await answering(404)]],
  ['has no such path, and the other port is closed', async () => [await closedPort(), await answering(404)]],
  ['closes the connection', async () => [(await rawServer((socket) => socket.destroy())).port]],
  ['speaks no HTTP', async () => [(await rawServer((socket) => socket.end('220 mail\r\n'))).port]],
  ['answers with an error', async () => [await answering(500)]],
])('a reading has failed for no such reason where the server %s', async (_what, ports) => {
  const reading = await readingOf(await ports())
  expect(reading.state).toBe('failed')
  expect(reading).not.toHaveProperty('kind')
})

test('a reading is what a port says behind one that is closed', async () => {
  const {port} = await fakeServer({'/healthz': 'ok'})
  expect(await readingOf([await closedPort(), port])).toEqual(read('ok'))
})
