import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {fullSandbox} from '../support/cri-messages.ts'
import {type FakeRuntimeOptions, fakeRuntime} from '../support/fake-runtime.ts'
import {kubelimbo} from '../support/kubelimbo.ts'
import {closingServer, garbageServer, http1Server, type Listening, pageServer, silentServer} from '../support/listening.ts'
import {tempDir} from '../support/socket-dir.ts'

/** Of a server that is there, whatever it does: what `pods` says of it. */
async function saidOf(server: (path: string) => Promise<AsyncDisposable & Pick<Listening, 'path'>>, args: readonly string[] = []) {
  const path = join(tempDir(), 's')
  await using _listening = await server(path)
  const {stdout, stderr, exitCode} = await kubelimbo(['pods', '-r', `unix://${path}`, ...args])
  return {stdout, exitCode, said: stderr.replaceAll(path, 'SOCKET')}
}

const fake = (options: Omit<FakeRuntimeOptions, 'path'>) => (path: string) => fakeRuntime({path, ...options})
const reach = 'kubelimbo: Cannot reach the container runtime: unix://SOCKET (--runtime-endpoint)'

describe('kubelimbo pods', () => {
  test.for<[string, (path: string) => Promise<Listening>, string]>([
    ['garbage', garbageServer, `${reach}: SOCKET does not speak gRPC`],
    ['HTTP/1.1', http1Server, `${reach}: SOCKET does not speak gRPC`],
    ['a server that closes', closingServer, `${reach}: SOCKET closed the connection at once`],
    ['web pages', pageServer, `${reach}: it answered Version with something other than gRPC (unsupported content type text/html)`],
    ['a runtime that is starting', fake({starting: true}), `${reach}: it answered Version with UNKNOWN: server is not initialized yet`],
    [
      'another gRPC service',
      fake({api: 'none'}),
      `${reach}: it speaks gRPC but is no container runtime: it serves neither runtime.v1 nor runtime.v1alpha2`,
    ],
  ])('exits 3 on %s, with a sentence and a hint', async ([, server, sentence]) => {
    const {stdout, said, exitCode} = await saidOf(server)
    const [line, hint, ...more] = said.split('\n')
    expect({stdout, exitCode, line, more}).toEqual({stdout: '', exitCode: 3, line: sentence, more: []})
    expect(hint).toMatch(/^hint: /)
  })

  test('exits 3 on silence, after --timeout', async () => {
    const {said, exitCode} = await saidOf(silentServer, ['-t', '1s'])
    expect(exitCode).toBe(3)
    expect(said).toMatch(
      `${reach}: SOCKET takes connections but has said nothing for 1s\nhint: the runtime hangs or the node is overloaded`,
    )
  })

  test('exits 3 on an answer above 16 MiB', async () => {
    const label = 'x'.repeat(1024 * 1024)
    const {said, exitCode} = await saidOf(fake({sandboxes: Array.from({length: 17}, () => ({...fullSandbox, labels: {label}}))}))
    expect(exitCode).toBe(3)
    expect(said).toMatch(
      /^kubelimbo: Cannot list the pods as the container runtime's list must be readable: the answer to ListPodSandbox is too large \(.*16777216/,
    )
  })

  test('exits 3 on a file, and on nothing', async () => {
    const path = join(tempDir(), 's')
    expect(await kubelimbo(['pods', '-r', path])).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining(`there is no socket ${path}`),
    })
    writeFileSync(path, '')
    expect(await kubelimbo(['pods', '-r', path])).toMatchObject({exitCode: 3, stderr: expect.stringContaining(`${path} is not a socket`)})
  })

  test('lists the pods of a runtime that has only v1alpha2', async () => {
    expect(await saidOf(fake({api: 'v1alpha2', sandboxes: [fullSandbox]}), ['-q'])).toEqual({stdout: fullSandbox.id, exitCode: 0, said: ''})
  })

  test.for([
    ['tcp://127.0.0.1:1', "Cannot use --runtime-endpoint as it must be the address of a unix socket: it is 'tcp://127.0.0.1:1'"],
    ['npipe:////./pipe/containerd', "it is 'npipe:////./pipe/containerd', and Windows is not supported"],
    [`unix:///${'x'.repeat(200)}`, 'as the path of a socket must have at most 107 bytes: it has 201'],
  ] as const)('exits 2 on %s', async ([address, sentence]) => {
    expect(await kubelimbo(['pods', '-r', address])).toMatchObject({exitCode: 2, stdout: '', stderr: expect.stringContaining(sentence)})
  })
})
