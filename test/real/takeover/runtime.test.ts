// The socket of a real containerd that is taken over: the next client goes through it, one that keeps its connection is told to connect anew at the end.
import {readdir} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import * as grpc from '@grpc/grpc-js'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {systemClock} from '../../../src/base/clock.ts'
import {type Containerd, startContainerd} from '../../support/containerd.ts'
import {inodeAt, readJournals, startInjecting} from '../../support/injecting.ts'
import {start} from '../../support/kubelimbo.ts'
import {tempDir} from '../../support/socket-dir.ts'
import {until} from '../../support/until.ts'

let rig: Containerd
let socket = ''
beforeAll(async () => {
  rig = await startContainerd()
  socket = rig.endpoint.slice('unix://'.length)
})
afterAll(() => rig?.[Symbol.asyncDispose]())

const failsLists = ['--fault', 'fail', '--code', 'DATA_LOSS', '--method', 'ListImages']
const dotNames = async () => (await readdir(dirname(socket))).filter((name) => name.startsWith('.'))

/** One connection, as a kubelet has it; no call is tried twice. */
function keptClient() {
  const client = new grpc.Client(socket === '' ? '' : `unix:${socket}`, grpc.credentials.createInsecure(), {
    'grpc.enable_retries': 0,
    'grpc.use_local_subchannel_pool': 1,
  })
  const identity = (bytes: Buffer) => bytes
  const version = () =>
    new Promise<string>((resolve) => {
      const deadline = {deadline: Date.now() + 10_000}
      client.makeUnaryRequest('/runtime.v1.RuntimeService/Version', identity, identity, Buffer.alloc(0), deadline, (error) =>
        resolve(error === null ? 'OK' : `${grpc.status[error.code]}: ${error.details}`),
      )
    })
  return {version, [Symbol.dispose]: () => client.close()}
}

test('inject --socket on containerd: the next crictl goes through it, and a client that keeps its connection goes on without an error when it ends', async () => {
  const journals = join(tempDir(), 'journals')
  const inode = await inodeAt(socket)
  using early = keptClient()
  expect(await early.version()).toBe('OK')
  const inject = await startInjecting({socket, journals, args: failsLists})
  expect(await inodeAt(socket)).not.toBe(inode)
  await expect(rig.crictl('images')).rejects.toThrow(/DataLoss/)
  expect(await rig.crictl('version')).toContain('containerd')

  using kept = keptClient()
  const answers: string[] = []
  const over = new AbortController()
  const calling = (async () => {
    while (!over.signal.aborted) {
      answers.push(await kept.version(), await early.version())
      await systemClock.sleep(2)
    }
  })()
  await systemClock.sleep(500)
  inject.kill('SIGINT')
  expect(await inject.ended).toMatchObject({exitCode: 130})
  const atEnd = answers.length
  expect(await inodeAt(socket)).toBe(inode)
  await until(async () => expect(answers.length).toBeGreaterThan(atEnd + 20))
  over.abort()
  await calling
  expect(answers.filter((each) => each !== 'OK')).toEqual([])
  expect(await rig.crictl('images')).toContain('localhost/busybox')
  expect([await dotNames(), await readJournals(journals)]).toEqual([[], []])
})

test('inject --socket on containerd says what the kubelet needs, and that it has not connected yet', async () => {
  const journals = join(tempDir(), 'journals')
  const control = join(journals, '../control.sock')
  const child = start([
    'inject',
    '--socket',
    `unix://${socket}`,
    '--journals',
    journals,
    '--control',
    control,
    ...failsLists,
    '--for',
    '2s',
  ])
  const {exitCode, stdout, stderr} = await child
  expect(exitCode).toBe(0)
  expect(stdout + stderr).toContain('The kubelet has not connected yet')
  expect(stdout + stderr).toMatch(/restart/i)
  expect([await dotNames(), await readJournals(journals)]).toEqual([[], []])
})
