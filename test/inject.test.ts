import {existsSync, mkdirSync, symlinkSync, writeFileSync} from 'node:fs'
import {userInfo} from 'node:os'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {systemClock} from '../src/base/clock.ts'
import {parseRules} from '../src/faults/file/read-rules.ts'
import {type InjectOptions, type InjectRequest, inject} from '../src/inject.ts'
import {injectExplain, rulesIn} from '../src/inject-explain.ts'
import type {TracedCall} from '../src/proxy/call/traced-call.ts'
import {controlClient} from '../src/proxy/control/control-client.ts'
import type {InjectHears, InjectStarted} from '../src/proxy/control/inject-hears.ts'
import {capabilityOf, codeOf, csiCaller} from './support/csi-caller.ts'
import {makeFifo} from './support/fifo.ts'
import {servedDriver} from './support/served-driver.ts'
import {tempDir} from './support/socket-dir.ts'
import {tracedCall} from './support/traced-calls.ts'
import {until} from './support/until.ts'

const stageRule = 'rules: [{name: stage, match: {method: NodeStageVolume}, limit: 1, fault: {kind: hang-after-exec}}]'

/** An injector before a driver of the lab, with what it told. */
async function injecting(rules: string, more: Partial<InjectOptions> & {readonly listen?: string; readonly upstream?: string} = {}) {
  const root = tempDir()
  const driver = await servedDriver(root, {name: 'd', takes: {NodeStageVolume: 300}})
  driver.driver.controller.createVolume('vol-1', 'Filesystem')
  onTestFinished(() => driver[Symbol.asyncDispose]())
  const stop = new AbortController()
  const listen = join(root, 'l.sock')
  const control = join(root, 'control/c.sock')
  const faults: TracedCall[] = []
  const told: string[] = []
  const cut: object[] = []
  const started = Promise.withResolvers<InjectStarted>()
  const hears: InjectHears = {
    started: (what) => {
      told.push('started')
      started.resolve(what)
    },
    took: ({rule, method}) => told.push(`${rule} takes ${method}`),
    fault: (call) => faults.push(call),
    socket: ({rule, fault, begins}) => told.push(`${rule}: ${fault} ${begins ? 'begins' : 'ends'}`),
    trouble: (text) => told.push(text),
    kubelet: () => told.push('kubelet'),
    leaving: () => told.push('leaving'),
    ended: (why, cutOff) => {
      told.push(why)
      cut.push(cutOff)
    },
  }
  const request: InjectRequest = {
    listen,
    upstream: `unix://${driver.endpoint}`,
    rules: parseRules(rules, 'rules.yaml').rules,
    seed: 1,
    decode: false,
    forMs: 60_000,
    control,
    uid: userInfo().uid,
    pid: 7,
    isAlive: (pid) => pid === 7,
    tool: 'kubelimbo 0.1.0',
    clock: systemClock,
    signal: stop.signal,
    ...more,
  }
  const ended = inject(request, hears).catch((error: unknown) => error)
  const info = await Promise.race([started.promise, ended])
  onTestFinished(async () => {
    stop.abort(new Error('over'))
    await ended
  })
  return {driver, root, listen, control, stop, faults, told, cut, ended, info, client: controlClient(control, new AbortController().signal)}
}

/** As a kubelet stages it. */
async function stager(it: {readonly root: string; readonly listen: string}) {
  const caller = await csiCaller(it.listen)
  onTestFinished(() => caller[Symbol.dispose]())
  const stagingTargetPath = join(it.root, 'plugins/kubernetes.io/csi/d/sha/globalmount')
  return (timeoutMs: number) =>
    codeOf(caller.node.nodeStageVolume({volumeId: 'vol-1', stagingTargetPath, volumeCapability: capabilityOf('mount')}, {timeoutMs}))
}

const stagesOf = ({driver}: Awaited<ReturnType<typeof injecting>>) =>
  driver.timeline.events.flatMap((event) => (event.kind === 'call' && event.method === 'NodeStageVolume' ? [event.outcome] : []))

test('inject() with hang-after-exec: the driver does it once, after the client has gone, and the ledger has a late success', async () => {
  const it = await injecting(stageRule)
  expect(it.info).toMatchObject({
    listen: `unix://${it.listen}`,
    upstream: `unix://${it.driver.endpoint}`,
    control: it.control,
    seed: 1,
    rules: [{name: 'stage', fault: 'hang-after-exec', says: 'the first NodeStageVolume: run it, whatever its deadline, and never answer'}],
  })
  const stage = await stager(it)
  expect(await stage(100)).toBe('DEADLINE_EXCEEDED')
  await until(async () => expect(it.faults).toHaveLength(2), 100, 20)
  expect(stagesOf(it)).toEqual(['OK'])
  expect(it.faults).toMatchObject([
    {method: 'NodeStageVolume', volume: 'vol-1', rule: 'stage', class: 'uncertain', owed: 'NodeUnstageVolume'},
    {update: true, upstream: {code: 'OK', late: true}},
  ])
  expect(it.faults[0]).not.toHaveProperty('upstream')
  const {lateSuccesses} = await it.client.ledger()
  expect(lateSuccesses).toMatchObject([{method: 'NodeStageVolume', about: 'vol-1', owed: 'NodeUnstageVolume', rule: 'stage'}])
  expect(lateSuccesses[0]?.lateMs).toBeGreaterThan(50)
  expect(await stage(5000)).toBe('OK')
  expect((await it.client.rules()).rules).toMatchObject([{name: 'stage', seen: 2, taken: 1}])
  expect(it.told).toEqual(['started', 'stage takes NodeStageVolume'])
})

test('inject() that is stopped lets go what it holds, and takes its sockets away', async () => {
  const it = await injecting(stageRule)
  const stage = await stager(it)
  const held = stage(60_000)
  await until(async () => expect(it.told).toContain('stage takes NodeStageVolume'), 100, 20)
  const reason = new Error('enough')
  it.stop.abort(reason)
  expect(await it.ended).toBe(reason)
  expect(await held).not.toBe('OK')
  expect([it.listen, it.control, join(it.control, '..')].map((path) => existsSync(path))).toEqual([false, false, false])
  expect(it.told.at(-1)).toBe('stopped')
  expect(it.cut).toEqual([{clients: 1, server: 1}])
})

test('inject() ends by itself when its time is over', async () => {
  const it = await injecting(stageRule, {forMs: 50})
  expect(await it.ended).toBeUndefined()
  expect(it.told).toEqual(['started', 'expired'])
  expect(it.cut).toEqual([{clients: 0, server: 0}])
  expect([it.listen, it.control].map((path) => existsSync(path))).toEqual([false, false])
})

test('inject() takes rules, is paused and cleared by its control socket', async () => {
  const it = await injecting('rules: [{name: first, match: {method: NodeStageVolume}, fault: {kind: error, code: INTERNAL}}]')
  const stage = await stager(it)
  expect(await stage(5000)).toBe('INTERNAL')
  await it.client.remove('first')
  await it.client.add('{"name": "second", "match": {"method": "NodeStageVolume"}, "fault": {"kind": "error", "code": "ABORTED"}}')
  expect(await stage(5000)).toBe('ABORTED')
  await it.client.pause(true)
  expect(await stage(5000)).toBe('OK')
  await it.client.pause(false)
  expect(await stage(5000)).toBe('ABORTED')
  await it.client.clear()
  expect(await stage(5000)).toBe('OK')
  expect(stagesOf(it)).toEqual(['OK', 'OK'])
  await expect(it.client.add('{"name": "x", "fault": {"kind": "nope"}}')).rejects.toThrow("it is 'nope' (the request:1)")
})

test('inject() with a fault of the socket is there again when the rule is removed', async () => {
  const it = await injecting('rules: [{name: down, fault: {kind: no-socket}}]')
  await until(async () => expect(existsSync(it.listen)).toBe(false), 100, 10)
  await it.client.remove('down')
  await until(async () => expect(existsSync(it.listen)).toBe(true), 100, 10)
  expect(await (await stager(it))(5000)).toBe('OK')
  expect(it.told).toEqual(['started', 'down: no-socket begins', 'down: no-socket ends'])
})

test.each([
  ['a server that is not there', {upstream: '/nowhere.sock'}, 'somebody must listen there: there is no such socket', 3],
  ['a server that is a file', {upstream: '/etc/passwd'}, 'somebody must listen there: what is there is no socket', 3],
  ['a control socket in a directory of others', {control: '/tmp/c.sock'}, 'it must be a directory of yours with mode 0700', 5],
  ['a path that is none', {listen: 'x.sock'}, "it must be the address of a unix socket: it is 'x.sock'", 2],
])('inject() refuses %s, and nothing is left', async (_, more, why, exit) => {
  const it = await injecting(stageRule, more)
  expect(await it.ended).toMatchObject({message: expect.stringContaining(why), exit})
  expect(it.told).toEqual([])
  expect([it.listen, join(it.root, 'control')].map((path) => existsSync(path))).toEqual([false, false])
})

test('injectExplain() says what rules do, and counts the calls of a recording as decide() would', async () => {
  const folder = tempDir()
  const [rules, against] = [join(folder, 'rules.yaml'), join(folder, 'calls.jsonl')]
  writeFileSync(
    rules,
    `rules:
  - {name: of-vol-1, match: {method: NodeStageVolume, request: {volumeId: vol-1}}, skip: 1, fault: {kind: hang-call}}
  - {name: later, match: {to: csi}, from: 10s, fault: {kind: error, code: INTERNAL}}
`,
  )
  const at = tracedCall().at
  const calls = ['vol-1', 'vol-2', 'vol-1', 'vol-1'].map((volumeId, index) =>
    tracedCall({id: index + 1, at: at + index * 5000, request: {volumeId}}),
  )
  writeFileSync(against, calls.map((call) => `${JSON.stringify(call)}\n`).join(''))
  expect(await injectExplain({rules, against})).toEqual({
    calls: 4,
    rules: [
      {name: 'of-vol-1', fault: 'hang-call', says: expect.stringContaining('volumeId'), seen: 3, taken: 2},
      {name: 'later', fault: 'error', says: expect.stringContaining('INTERNAL'), seen: 0, taken: 0},
    ],
  })
  expect(await injectExplain({rules})).not.toHaveProperty('calls')
  await expect(injectExplain({rules: '/nowhere'})).rejects.toThrow(
    'Cannot use --rules as it must be a file that can be read: there is none (/nowhere)',
  )
  writeFileSync(rules, 'rules:\n  - {name: a}\n  - {name: b}\n')
  expect(await injectExplain({rules})).toEqual({
    problems: [expect.stringContaining(`(${rules}:2)`), expect.stringContaining(`(${rules}:3)`)],
  })
})

test.each([
  ['a FIFO that nobody writes to', makeFifo, 'it is a FIFO'],
  ['a folder', (path: string) => mkdirSync(path), 'it is a folder'],
  ['a device without an end', (path: string) => symlinkSync('/dev/zero', path), 'it is a device'],
  ['too much', (path: string) => writeFileSync(path, '#'.repeat(2 ** 20 + 1)), 'it has more than 1 MiB'],
])('rulesIn() takes no %s', async (_, make, why) => {
  const path = join(tempDir(), 'rules.yaml')
  make(path)
  await expect(rulesIn(path)).rejects.toThrow(`Cannot use --rules as it must be a file that can be read: ${why} (${path})`)
})
