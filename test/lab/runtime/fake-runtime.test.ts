import {expect, test} from 'vitest'
import {seeded} from '../../../src/base/dice.ts'
import {simulatedClock} from '../../../src/base/simulated-clock.ts'
import type {CriMethods} from '../../../src/kubelet/cri.ts'
import {deadlines} from '../../../src/lab/port/deadlines.ts'
import {faultyPort} from '../../../src/lab/port/faulty-port.ts'
import {ruleBook} from '../../../src/lab/port/rule-book.ts'
import {behindTheBack} from '../../../src/lab/runtime/behind-the-back.ts'
import {describeCri} from '../../../src/lab/runtime/describe-cri.ts'
import {fakeRuntime} from '../../../src/lab/runtime/fake-runtime.ts'
import {labImage} from '../../../src/lab/runtime/images.ts'
import {runtimeWorld} from '../../../src/lab/runtime/runtime-world.ts'
import {timeline} from '../../../src/timeline/timeline.ts'
import {type Outcome, outcomeWithin} from '../../support/simulated-run.ts'

const sh = (script: string) => ['sh', '-c', script]
const patient = {timeoutMs: 100_000}

/** A runtime with one sandbox of default/a and a container in it that has been created, on a clock. */
async function node(command: readonly string[], seed = 1) {
  const clock = simulatedClock(0)
  const events = timeline(clock.now)
  const world = runtimeWorld(clock, events)
  const rules = ruleBook()
  const options = {clock, timeline: events, rules, deadlines: deadlines(clock), describe: describeCri(world)}
  const port = faultyPort<CriMethods>(fakeRuntime(world, clock, seeded(seed)), options)
  const config = {namespace: 'default', name: 'a', uid: 'u', attempt: 0}
  const ask = (work: () => Promise<unknown>, ms = 100_000): Promise<Outcome | undefined> => outcomeWithin(clock, ms, work)
  const containerConfig = {metadata: {name: 'c', attempt: 0}, image: labImage, command}
  const ran = await ask(() => port.call('RunPodSandbox', {config}, patient), 1000)
  const {podSandboxId} = (ran?.value ?? {}) as {podSandboxId: string}
  const made = await ask(() => port.call('CreateContainer', {podSandboxId, config: containerConfig}, patient), 1000)
  const {containerId} = (made?.value ?? {}) as {containerId: string}
  const state = () => {
    const row = world.containers.get(containerId)
    if (row === undefined) return 'gone'
    return row.state === 'EXITED' ? `EXITED ${row.exitCode} ${row.reason}` : row.state
  }
  const did = () => events.events.flatMap((event) => (event.kind === 'container' ? [`${event.container ?? 'sandbox'} ${event.what}`] : []))
  return {clock, world, port, ask, podSandboxId, containerId, config, containerConfig, state, did, ran, made}
}

const started = async (command: readonly string[], runs = 1000, seed = 1) => {
  const it = await node(command, seed)
  const start = await it.ask(() => it.port.call('StartContainer', {containerId: it.containerId}, patient), runs)
  return {...it, start}
}

test.each<[string, readonly string[], unknown, string]>([
  ['sleeps for ever', [], {}, 'RUNNING'],
  ['ends well', ['true'], {}, 'EXITED 0 Completed'],
  ['fails', sh('exit 1'), {}, 'EXITED 1 Error'],
  ['cannot be found', ['nosuch'], 'UNKNOWN', 'EXITED 128 StartError'],
])('StartContainer of a command that %s', async (_, command, answer, state) => {
  const {start, state: now} = await started(command)
  expect(start?.value).toEqual(answer)
  expect(now()).toBe(state)
})

test('StartContainer that fails leaves it as containerd does: it started in 1970', async () => {
  const {world, containerId, did} = await started(['nosuch'])
  expect(world.containers.get(containerId)).toMatchObject({
    startedAt: 0,
    exitCode: 128,
    reason: 'StartError',
    message: expect.stringContaining('"nosuch"'),
  })
  expect(world.containers.get(containerId)?.finishedAt).toBeGreaterThan(0)
  expect(did()).toEqual(['sandbox started', 'c created', 'c start-failed'])
})

test.each<[string, readonly string[], number, number, string, readonly [number, number]]>([
  ['a trap that leaves', sh("trap 'exit 3' TERM; while :; do sleep 1; done"), 10, 1000, 'EXITED 3 Error', [0, 1010]],
  ['a trap that ends well', sh("trap 'exit 0' TERM; while :; do sleep 1; done"), 10, 1000, 'EXITED 0 Completed', [0, 1010]],
  ['no trap', [], 4, 1000, 'EXITED 137 Error', [4001, 4005]],
  ['SIGTERM ignored', sh("trap '' TERM; while :; do sleep 1; done"), 4, 1000, 'EXITED 137 Error', [4001, 4005]],
  ['no time given', sh("trap 'exit 3' TERM; while :; do sleep 1; done"), 0, 1000, 'EXITED 137 Error', [1, 5]],
  ['its end before', sh('exit 2'), 10, 1000, 'EXITED 2 Error', [1, 5]],
])('StopContainer with %s', async (_, command, timeout, runs, state, [least, most]) => {
  const it = await started(command, runs)
  const stop = await it.ask(() => it.port.call('StopContainer', {containerId: it.containerId, timeout}, patient))
  expect(stop?.value).toEqual({})
  expect(stop?.ms).toBeGreaterThanOrEqual(least)
  expect(stop?.ms).toBeLessThanOrEqual(most)
  expect(it.state()).toBe(state)
})

test('StopContainer whose caller gives up has sent SIGTERM and sends no SIGKILL', async () => {
  const it = await started(sh("trap '' TERM; sleep infinity"))
  const stop = await it.ask(() => it.port.call('StopContainer', {containerId: it.containerId, timeout: 10}, {timeoutMs: 2000}))
  expect(stop).toEqual({value: 'DEADLINE_EXCEEDED', ms: 2000})
  expect(it.state()).toBe('RUNNING')
})

test('StopContainer asks once: a second call does not run the trap again', async () => {
  const it = await started(sh("trap 'sleep 3' TERM; sleep 6; sleep 6"), 300)
  const call = (timeoutMs: number) =>
    it.ask(() => it.port.call('StopContainer', {containerId: it.containerId, timeout: 60}, {timeoutMs}), timeoutMs)
  // The second comes while the trap runs.
  await call(7000)
  await call(90_000)
  const {startedAt = 0, finishedAt = 0} = it.world.containers.get(it.containerId) ?? {}
  expect(Math.round((finishedAt - startedAt) / 1000)).toBe(6 + 3 + 6)
})

test('RunPodSandbox after RemovePodSandbox makes another sandbox under the same name', async () => {
  const it = await node([])
  await it.ask(() => it.port.call('RemovePodSandbox', {podSandboxId: it.podSandboxId}, patient), 1000)
  const again = await it.ask(() => it.port.call('RunPodSandbox', {config: it.config}, patient), 1000)
  expect(again?.value).toEqual({podSandboxId: expect.stringMatching(/^[0-9a-f]{16}$/)})
  expect(again?.value).not.toEqual({podSandboxId: it.podSandboxId})
})

test.each<[string, keyof CriMethods & string, unknown, unknown]>([
  ['StopContainer', 'StopContainer', {containerId: 'none', timeout: 1}, {}],
  ['RemoveContainer', 'RemoveContainer', {containerId: 'none'}, {}],
  ['RemovePodSandbox', 'RemovePodSandbox', {podSandboxId: 'none'}, {}],
  ['StopPodSandbox', 'StopPodSandbox', {podSandboxId: 'none'}, {}],
  ['ContainerStatus', 'ContainerStatus', {containerId: 'none'}, 'NOT_FOUND'],
  ['PodSandboxStatus', 'PodSandboxStatus', {podSandboxId: 'none'}, 'NOT_FOUND'],
  ['StartContainer', 'StartContainer', {containerId: 'none'}, 'NOT_FOUND'],
])('%s of what is not there', async (_, method, request, answer) => {
  const it = await node([])
  expect((await it.ask(() => it.port.call(method, request as never, patient)))?.value).toEqual(answer)
})

test('RunPodSandbox, CreateContainer and StartContainer refuse what there is already', async () => {
  const it = await started([])
  const {podSandboxId, containerId, config, containerConfig} = it
  const again = [
    () => it.port.call('RunPodSandbox', {config}, patient),
    () => it.port.call('CreateContainer', {podSandboxId, config: containerConfig}, patient),
    () => it.port.call('StartContainer', {containerId}, patient),
  ]
  for (const call of again) expect((await it.ask(call, 1000))?.value).toBe('UNKNOWN')
})

test('StartContainer twice at once starts it once', async () => {
  const it = await node(sh('exit 1'))
  const call = () => it.port.call('StartContainer', {containerId: it.containerId}, patient)
  const outcome = await it.ask(() => Promise.allSettled([call(), call()]), 1000)
  expect(outcome?.value).toMatchObject([
    {status: 'fulfilled', value: {}},
    {status: 'rejected', reason: {code: 'UNKNOWN'}},
  ])
  expect(it.did().filter((each) => each === 'c started')).toHaveLength(1)
})

test('StartContainer fails when its sandbox stops meanwhile, as for a container that was not found', async () => {
  const it = await node([])
  const {podSandboxId, containerId} = it
  const calls = () =>
    Promise.allSettled([it.port.call('StopPodSandbox', {podSandboxId}, patient), it.port.call('StartContainer', {containerId}, patient)])
  await it.ask(calls, 1000)
  expect(it.state()).toBe('EXITED 128 StartError')
})

test.each<[string, (it: Awaited<ReturnType<typeof started>>) => Promise<unknown>, string]>([
  ['is UNKNOWN until somebody stops it', async () => undefined, 'UNKNOWN'],
  [
    'has ended with 255 when it is stopped',
    ({port, containerId}) => port.call('StopContainer', {containerId, timeout: 30}, patient),
    'EXITED 255 Error',
  ],
  [
    'has ended with 255 when its sandbox is stopped',
    ({port, podSandboxId}) => port.call('StopPodSandbox', {podSandboxId}, patient),
    'EXITED 255 Error',
  ],
  ['can be removed', ({port, containerId}) => port.call('RemoveContainer', {containerId}, patient), 'gone'],
])('a container that the runtime lost %s', async (_, act, state) => {
  const it = await started(['sleep', '5'])
  behindTheBack(it.world).loseContainer('default/a', 'c')
  await it.ask(() => act(it), 10_000)
  expect(it.state()).toBe(state)
})

test('a call whose caller gives up leaves nothing of what was under way', async () => {
  const it = await node([])
  const impatient = {timeoutMs: 10}
  const config = {...it.config, attempt: 1}
  expect((await it.ask(() => it.port.call('RunPodSandbox', {config}, impatient), 1000))?.value).toBe('DEADLINE_EXCEEDED')
  expect(it.world.sandboxes.list()).toHaveLength(1)
  expect((await it.ask(() => it.port.call('RunPodSandbox', {config}, patient), 1000))?.value).toHaveProperty('podSandboxId')
  await it.ask(() => it.port.call('StartContainer', {containerId: it.containerId}, impatient), 1000)
  expect(it.state()).toBe('EXITED 128 StartError')
})

test('StopPodSandbox kills what runs in it, and the sandbox is NOTREADY before its network is gone', async () => {
  const it = await started(sh("trap '' TERM; sleep infinity"))
  const readyAt: (string | undefined)[] = []
  const look = () => readyAt.push(`${it.world.sandboxes.get(it.podSandboxId)?.state} ${it.state()}`)
  for (const ms of [1, 110]) void it.clock.sleep(ms).then(look)
  const stop = await it.ask(() => it.port.call('StopPodSandbox', {podSandboxId: it.podSandboxId}, patient))
  expect(readyAt).toEqual(['READY EXITED 137 Error', 'NOTREADY EXITED 137 Error'])
  expect(stop?.ms).toBeGreaterThanOrEqual(80)
  expect(stop?.ms).toBeLessThanOrEqual(400)
})

test('RemoveContainer kills a container that runs, and RemovePodSandbox removes what is in it', async () => {
  const it = await started([])
  await it.ask(() => it.port.call('RemoveContainer', {containerId: it.containerId}, patient), 1000)
  expect(it.state()).toBe('gone')
  const config = {...it.containerConfig, metadata: {name: 'd', attempt: 0}}
  await it.ask(() => it.port.call('CreateContainer', {podSandboxId: it.podSandboxId, config}, patient), 1000)
  await it.ask(() => it.port.call('RemovePodSandbox', {podSandboxId: it.podSandboxId}, patient), 1000)
  expect(it.did().slice(2)).toEqual(['c started', 'c exited', 'c removed', 'd created', 'sandbox exited', 'd removed', 'sandbox removed'])
  expect([it.world.sandboxes.list(), it.world.containers.list()]).toEqual([[], []])
})

test.each<[string, readonly string[], number, unknown]>([
  ['ends', sh('exit 4'), 0, {exitCode: 4}],
  ['cannot be found', ['nosuch'], 0, 'UNKNOWN'],
  ['takes too long', ['sleep', '9'], 2, 'DEADLINE_EXCEEDED'],
  ['takes long with no limit', ['sleep', '9'], 0, {exitCode: 0}],
])('ExecSync of a command that %s', async (_, cmd, timeout, answer) => {
  const it = await started([])
  expect((await it.ask(() => it.port.call('ExecSync', {containerId: it.containerId, cmd, timeout}, patient)))?.value).toEqual(answer)
})

test('ExecSync ends with its container, and needs one that runs', async () => {
  const it = await started(sh('sleep 2'))
  const call = () => it.port.call('ExecSync', {containerId: it.containerId, cmd: ['sleep', '9'], timeout: 0}, patient)
  expect((await it.ask(call, 10_000))?.value).toEqual({exitCode: 137})
  expect((await it.ask(call, 10_000))?.value).toBe('UNKNOWN')
})

test('PullImage pulls what a registry has', async () => {
  const it = await node([])
  const present = async (image: string) => (await it.ask(() => it.port.call('ImageStatus', {image}, patient), 100))?.value
  const pull = async (image: string) => (await it.ask(() => it.port.call('PullImage', {image}, patient), 3000))?.value
  expect(await present(labImage)).toEqual({present: true})
  expect(await present('busybox:1')).toEqual({present: false})
  expect(await pull('busybox:1')).toEqual({imageRef: 'busybox:1'})
  expect(await present('busybox:1')).toEqual({present: true})
  expect(await pull('registry.invalid/x:1')).toBe('UNKNOWN')
  expect(await pull('registry.invalid:5000/x:1')).toBe('UNKNOWN')
})

test('CreateContainer needs its image and a sandbox that is ready', async () => {
  const it = await node([])
  const create = async (image: string) => {
    const config = {metadata: {name: 'd', attempt: 0}, image, command: []}
    return (await it.ask(() => it.port.call('CreateContainer', {podSandboxId: it.podSandboxId, config}, patient), 1000))?.value
  }
  expect(await create('busybox:1')).toBe('NOT_FOUND')
  await it.ask(() => it.port.call('StopPodSandbox', {podSandboxId: it.podSandboxId}, patient), 1000)
  expect(await create(labImage)).toBe('UNKNOWN')
})

test('ListContainers and ListPodSandbox are the same frozen list until something changes', async () => {
  const it = await node([])
  const list = async (method: 'ListContainers' | 'ListPodSandbox', podUid?: string) =>
    (await it.ask(() => it.port.call(method, podUid === undefined ? {} : {podUid}, patient), 10))?.value as readonly object[]
  const containers = await list('ListContainers')
  const sandboxes = await list('ListPodSandbox')
  expect(Object.isFrozen(containers) && containers.every((each) => Object.isFrozen(each))).toBe(true)
  expect(await list('ListContainers')).toBe(containers)
  await it.ask(() => it.port.call('StartContainer', {containerId: it.containerId}, patient), 1000)
  expect(await list('ListContainers')).not.toBe(containers)
  expect(containers).toMatchObject([{state: 'CREATED'}])
  expect(await list('ListPodSandbox')).toBe(sandboxes)
  expect(await list('ListContainers', 'u')).toMatchObject([{state: 'RUNNING'}])
  expect(await list('ListContainers', 'other')).toEqual([])
})

test('behindTheBack() kills with the code given, removes, and says what is not there', async () => {
  const it = await started([])
  const back = behindTheBack(it.world)
  back.killContainer('default/a', 'c', 9)
  await it.clock.run(it.clock.now() + 1)
  expect(it.state()).toBe('EXITED 9 Error')
  expect(() => back.killContainer('default/a', 'c', 9)).toThrow(/a running container c of default\/a as the runtime must have it/)
  back.removeContainer('default/a', 'c')
  expect(it.state()).toBe('gone')
  expect(() => back.removeContainer('default/a', 'c')).toThrow(/a container c of default\/a/)
})

test('behindTheBack() removes a container that runs when it has killed it', async () => {
  const it = await started([])
  behindTheBack(it.world).removeContainer('default/a', 'c')
  await it.clock.run(it.clock.now() + 1)
  expect(it.did().slice(-2)).toEqual(['c exited', 'c removed'])
})

test('what is done to one pod takes as long whatever else goes on', async () => {
  const quiet = await node([], 5)
  const busy = await started([], 1000, 5)
  await busy.ask(() => busy.port.call('ListContainers', {}, patient), 10)
  const stop = (it: typeof quiet) => it.ask(() => it.port.call('StopPodSandbox', {podSandboxId: it.podSandboxId}, patient), 1000)
  expect(quiet.podSandboxId).toBe(busy.podSandboxId)
  expect((await stop(quiet))?.ms).toBe((await stop(busy))?.ms)
  expect((await node([], 6)).ran?.ms).not.toBe(quiet.ran?.ms)
})
