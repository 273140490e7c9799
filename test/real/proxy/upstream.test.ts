// A server that dies, is away, comes back or is busy: through the proxy grpc-go's client meets what it meets without.

import {once} from 'node:events'
import {existsSync} from 'node:fs'
import {rm} from 'node:fs/promises'
import {connect} from 'node:net'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {systemClock} from '../../../src/base/clock.ts'
import {Identity} from '../../../src/wire/gen/csi_pb.ts'
import {goCall} from '../../support/go-client.ts'
import {type OracleServer, startOracle} from '../../support/oracle-server.ts'
import {directly, ways} from '../../support/proxied.ts'
import {tempDir} from '../../support/socket-dir.ts'
import {grpcJs} from '../../support/suites/grpc-js-client.ts'
import {until} from '../../support/until.ts'

/** It has any method and answers what it is sent. */
const ask = async (path: string, timeoutMs = 3000) => (await goCall(path, Identity.method.getPluginInfo, {}, {timeoutMs})).code

async function dialed(path: string): Promise<string> {
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return 'connected'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? ''
  } finally {
    socket.destroy()
  }
}

test.each([{name: 'nothing between', open: directly}, ...ways])('serveProxy() with $name: the server comes and goes', async ({open}) => {
  const folder = tempDir()
  const socket = join(folder, 's')
  let server: OracleServer | undefined = await startOracle('serve-grpc', socket)
  await using proxy = await open(socket, folder)
  try {
    expect(await ask(proxy.path)).toBe('OK')

    // Busy: connections wait until it takes them.
    server.kill('SIGSTOP')
    expect(await ask(proxy.path, 500)).toBe('DeadlineExceeded')
    const waiting = ask(proxy.path, 10_000)
    server.kill('SIGCONT')
    expect(await waiting).toBe('OK')

    // Killed: its socket's file stays.
    await server[Symbol.asyncDispose]()
    expect(await ask(proxy.path)).toBe('Unavailable')
    await until(async () => expect(await dialed(proxy.path)).toBe('ECONNREFUSED'), 20)
    await rm(socket)
    await until(async () => expect(await dialed(proxy.path)).toBe('ENOENT'), 20)
    expect(existsSync(proxy.path)).toBe(false)
    expect(await ask(proxy.path)).toBe('Unavailable')

    server = await startOracle('serve-grpc', socket)
    await until(async () => expect(await ask(proxy.path)).toBe('OK'), 20)
  } finally {
    await server[Symbol.asyncDispose]()
  }
})

test.each([{name: 'nothing between', open: directly}, ...ways])(
  'serveProxy() with $name: the server dies with calls in it',
  async ({open}) => {
    const folder = tempDir()
    await using server = await startOracle('serve-test', join(folder, 's'))
    await using proxy = await open(server.address, folder)
    const clients = Array.from({length: 3}, () => grpcJs(proxy.path))
    const calls = clients.map((client) => client.unary('Hang', new Uint8Array(1), {metadata: {'x-name': 'dying'}}))
    await systemClock.sleep(500)
    server.kill('SIGKILL')
    expect((await Promise.all(calls)).map(({code}) => code)).toEqual(['UNAVAILABLE', 'UNAVAILABLE', 'UNAVAILABLE'])
    for (const client of clients) client[Symbol.dispose]()
  },
)
