import {randomBytes} from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import {request} from 'node:https'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {beforeEach, expect, onTestFinished, test} from 'vitest'
import {systemClock} from '../src/base/clock.ts'
import {openBundle} from '../src/node/bundle.ts'
import {read} from '../src/node/reading.ts'
import {recordingLine} from '../src/node/recorded/recording.ts'
import type {Snapshot} from '../src/node/snapshot.ts'
import {type ReplayView, renderReplay} from '../src/render/replay.ts'
import {replay} from '../src/replay.ts'
import {openCri} from '../src/wire/cri-client.ts'
import {getPluginInfo} from '../src/wire/registration-client.ts'
import {machineWith} from './support/replayed-case.ts'
import {snapshotOf} from './support/snapshot-builder.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kl-'))
  onTestFinished(() => rmSync(folder, {recursive: true}))
})

/** Until the test is over. */
async function serving(file: string, dir?: string, snapshot: Snapshot = snapshotOf({})): Promise<ReplayView & {end: () => Promise<void>}> {
  const over = new AbortController()
  const ready = Promise.withResolvers<ReplayView>()
  const asked = {file, temporary: folder, uid: process.getuid?.() ?? 0, random: randomBytes, ...(dir !== undefined && {dir})}
  const served = replay(asked, machineWith(snapshot, over.signal), async (view) => ready.resolve(view))
  served.catch(ready.reject)
  const end = async () => {
    over.abort()
    await served
  }
  onTestFinished(async () => end().catch(() => undefined))
  return {...(await ready.promise), end}
}

function recording(): string {
  const file = join(folder, 'calls.jsonl')
  const head = {apiVersion: 'kubelimbo/v1', kind: 'Recording', metadata: {node: 'n1', when: '2026-11-30T03:00:00Z', tool: 'test'}} as const
  const call = {at: 0, durationMs: 1, code: 'OK', request: {}} as const
  writeFileSync(
    file,
    [
      recordingLine(head),
      recordingLine({
        ...call,
        socket: '/run/r.sock',
        service: 'runtime.v1.RuntimeService',
        method: 'Version',
        responses: [{runtimeName: 'rt'}],
      }),
      recordingLine({
        ...call,
        socket: '/reg/d-reg.sock',
        service: 'pluginregistration.Registration',
        method: 'GetInfo',
        responses: [{name: 'd'}],
      }),
      'torn\n',
    ].join(''),
  )
  return file
}

const limits = {clock: systemClock, connectTimeoutMs: 5000, callTimeoutMs: 5000}
const pathOf = ({sockets}: ReplayView, kind: string) => sockets.find((each) => each.kind === kind)?.endpoint.slice('unix://'.length) ?? ''

test('replay() serves the sockets of a recording for their owner alone, and clears all of it away', async () => {
  const dir = join(folder, 'n')
  const view = await serving(recording(), dir)
  expect(view).toMatchObject({root: dir, missing: ['1 of its lines are no calls'], calls: 2})
  expect([statSync(dir).mode & 0o777, statSync(pathOf(view, 'runtime')).mode & 0o777]).toEqual([0o700, 0o600])
  await using client = await openCri({path: pathOf(view, 'runtime'), ...limits})
  expect(client.runtime.name).toBe('rt')
  expect((await getPluginInfo({path: pathOf(view, 'registration'), ...limits})).name).toBe('d')
  await view.end()
  expect(existsSync(dir)).toBe(false)
})

test('replay() names the commands that its calls answer', async () => {
  const file = recording()
  expect(await renderReplay(await serving(file), 'text')).toContain('No command of crictl or kubelimbo is answered by these calls alone')
  const call = {at: 0, durationMs: 1, code: 'OK', request: {}} as const
  const add = (socket: string, service: string, method: string) =>
    appendFileSync(file, recordingLine({...call, socket, service, method, responses: [{}]}))
  add('/var/lib/kubelet/plugins/d/csi.sock', 'csi.v1.Identity', 'GetPluginInfo')
  add('/run/r.sock', 'runtime.v1.RuntimeService', 'StreamPodSandboxes')
  const view = await serving(file)
  const text = await renderReplay(view, 'text')
  expect(text).toContain(`kubelimbo drivers --host-root ${view.root} --kubelet-root /var/lib/kubelet\n`)
  expect(text).toMatch(/^crictl -r unix:\S+ -i unix:\S+ pods$/m)
})

test('replay() of a file that is neither, or not there, speaks of recordings and bundles', async () => {
  writeFileSync(join(folder, 'empty'), '')
  for (const name of ['empty', 'nothere'])
    await expect(replayedBy(name)).rejects.toMatchObject({hint: expect.stringContaining('kubelimbo record')})
  await expect(openBundle(recording())).rejects.toMatchObject({
    message: expect.stringMatching(/: it is a recording of calls$/),
    hint: expect.stringContaining('kubelimbo replay'),
  })
})

function replayedBy(name: string): Promise<void> {
  const asked = {file: join(folder, name), temporary: folder, uid: process.getuid?.() ?? 0, random: randomBytes}
  const machine = {...machineWith(snapshotOf({}), AbortSignal.abort()), openBundle}
  return replay(asked, machine, async () => undefined)
}

test('replay() gives a folder whose sockets could not be dialled a short name', async () => {
  const dir = join(folder, 'x'.repeat(120))
  const view = await serving(recording(), dir)
  expect(Buffer.byteLength(pathOf(view, 'runtime'))).toBeLessThanOrEqual(107)
  await using client = await openCri({path: pathOf(view, 'runtime'), ...limits})
  expect(client.runtime.name).toBe('rt')
  await view.end()
  expect(readdirSync(folder).toSorted()).toEqual(['calls.jsonl'])
})

test('replay() refuses a folder that has something in it, and one that is no folder', async () => {
  const full = join(folder, 'full')
  mkdirSync(full)
  writeFileSync(join(full, 'mine'), '')
  symlinkSync(full, join(folder, 'link'))
  await expect(serving(recording(), full)).rejects.toThrow('there is something in it')
  await expect(serving(recording(), join(folder, 'link'))).rejects.toThrow('it is none')
  await expect(serving(recording(), recording())).rejects.toMatchObject({
    message: expect.stringMatching(/: it is none$/),
    hint: expect.any(String),
  })
  expect(readdirSync(full)).toEqual(['mine'])
})

test('replay() follows the links of a bundle inside of its folder only', async () => {
  const outside = join(folder, 'outside')
  mkdirSync(outside)
  writeFileSync(join(outside, 'csi.sock'), 'mine')
  const link = {path: 'plugins', type: 'link', target: outside, mode: 0o777, size: 0} as const
  const root = {path: '', type: 'directory', mode: 0o755, size: 0} as const
  const answer = {state: 'answers'} as const
  const made = snapshotOf({
    sources: {
      'disk.entries': [root, link],
      'csi.drivers': [
        {socket: '/var/lib/kubelet/plugins/csi.sock', answer, name: 'd'},
        {socket: '/var/lib/kubelet/../../../../../csi2.sock', answer, name: 'e'},
      ],
    },
  })
  const dir = join(folder, 'n')
  const view = await serving(outside, dir, made)
  expect(readFileSync(join(outside, 'csi.sock'), 'utf8')).toBe('mine')
  expect(readdirSync(outside)).toEqual(['csi.sock'])
  expect(statSync(join(dir, outside, 'csi.sock')).isSocket()).toBe(true)
  expect(statSync(join(dir, 'csi2.sock')).isSocket()).toBe(true)
  await view.end()
})

test('replay() tells of the node by HTTPS to who has the token alone', async () => {
  const dir = join(folder, 'n')
  const base = snapshotOf({})
  const healthz = read({ok: true, text: 'ok'})
  const view = await serving(folder, dir, {...base, readings: {...base.readings, 'kubelet.healthz': healthz}})
  const {kubeletUrl, kubeconfig} = JSON.parse(readFileSync(join(dir, 'kubelimbo-replay.json'), 'utf8'))
  expect(new URL(kubeletUrl).hostname).toBe('127.0.0.1')
  expect(statSync(kubeconfig).mode & 0o777).toBe(0o600)
  const token = /token: (\S+)/.exec(readFileSync(kubeconfig, 'utf8'))?.[1]
  expect(await get(`${kubeletUrl}/healthz`, {})).toBe('401 Unauthorized\n')
  expect(await get(`${kubeletUrl}/healthz`, {authorization: `Bearer ${token}`})).toBe('200 ok')
  expect(await get(`${kubeletUrl}/pods`, {authorization: `Bearer ${token}`})).toBe('404 not in the bundle\n')
  expect(await get(`${kubeletUrl}/healthz`, {authorization: `Bearer ${token}`}, 'DELETE')).toBe('405 a replay is read-only\n')
  await view.end()
  expect(existsSync(kubeconfig)).toBe(false)
})

function get(url: string, headers: Record<string, string>, method = 'GET'): Promise<string> {
  return new Promise((resolve, reject) => {
    request(url, {headers, method, rejectUnauthorized: false, agent: false}, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve(`${response.statusCode} ${text}`))
    })
      .on('error', reject)
      .end()
  })
}
