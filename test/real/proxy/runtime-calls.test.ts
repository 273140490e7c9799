// What becomes of a call to a real containerd under each fault: what crictl says, and what containerd did.
import {create, toBinary} from '@bufbuild/protobuf'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {systemClock} from '../../../src/base/clock.ts'
import {type FaultParameters, faultOf} from '../../../src/faults/faults.ts'
import {RunPodSandboxRequestSchema} from '../../../src/wire/gen/cri_pb.ts'
import {NamespaceMode} from '../../../src/wire/gen/cri-config_pb.ts'
import {runPod, startContainer} from '../../support/crictl-pods.ts'
import {type ProxiedRuntime, startProxiedRuntime} from '../../support/proxied-runtime.ts'
import {rawCaller} from '../../support/raw-grpc.ts'
import {until} from '../../support/until.ts'

let runtime: ProxiedRuntime
beforeAll(async () => {
  runtime = await startProxiedRuntime()
})
afterAll(() => runtime?.[Symbol.asyncDispose]())

interface Row {
  readonly kind: string
  readonly parameters?: FaultParameters
  /** Of crictl, as it has it. */
  readonly timeout?: string
  /** In what crictl says; absent: it succeeds. */
  readonly says?: RegExp
  /** Times that containerd stopped the sandbox. */
  readonly stops: number
  readonly atLeast?: number
}

/** Of StopPodSandbox, which containerd logs when it begins. */
const rows: readonly Row[] = [
  {kind: 'hang-call', timeout: '1s', says: /DeadlineExceeded/, stops: 0, atLeast: 1000},
  {kind: 'hang-after-exec', timeout: '1s', says: /DeadlineExceeded/, stops: 1, atLeast: 1000},
  {kind: 'drop-reply', says: /INTERNAL_ERROR/, stops: 1},
  {kind: 'drop-reply', parameters: {scope: 'connection'}, says: /Unavailable.*(EOF|reset)/, stops: 1},
  {kind: 'exec-then-error', parameters: {code: 'UNKNOWN', message: 'no such luck'}, says: /no such luck/, stops: 1},
  {kind: 'error', parameters: {code: 'UNAVAILABLE', message: 'try later'}, says: /try later/, stops: 0},
  {kind: 'fake-success', stops: 0},
  {kind: 'delay', parameters: {before: 700}, stops: 1, atLeast: 700},
  {kind: 'delay', parameters: {after: 700}, stops: 1, atLeast: 700},
  {kind: 'duplicate', stops: 2},
]

const named = ({kind, parameters = {}}: Row) => [kind, ...Object.entries(parameters).map(([name, value]) => `${name} ${value}`)].join(' ')

test.each(rows.map((row, at) => [named(row), row, at] as const))('serveProxy() %s of StopPodSandbox', async (_, row, at) => {
  const {rig, crictl, under, logged} = runtime
  const {id} = await runPod(rig, {name: `stopped-${at}`})
  const started = systemClock.now()
  const said = await under(faultOf(row.kind, row.parameters), {method: 'StopPodSandbox', request: {podSandboxId: id}}, () =>
    crictl('--timeout', row.timeout ?? '30s', 'stopp', id).then(
      () => undefined,
      ({stderr}: {readonly stderr: string}) => stderr,
    ),
  )
  expect(systemClock.now() - started).toBeGreaterThanOrEqual(row.atLeast ?? 0)
  if (row.says === undefined) expect(said).toBeUndefined()
  else expect(said).toMatch(row.says)
  const stops = () => logged(`StopPodSandbox for \\"${id}\\""`)
  if (row.stops > 0) await until(async () => expect(await stops()).toBe(row.stops), 50)
  else await systemClock.sleep(200)
  expect(await stops()).toBe(row.stops)
  await until(async () => expect((await rig.crictl('pods', '--quiet', '--state', 'ready', '--id', id)) === '').toBe(row.stops > 0), 50)
})

test('serveProxy() hang-after-exec of RunPodSandbox: it runs once and to its end, though its caller gave up at once', async () => {
  const {rig, path, under, logged} = runtime
  const metadata = {name: 'lost', namespace: 'default', uid: 'lost'}
  const linux = {cgroupParent: rig.cgroup, securityContext: {namespaceOptions: {network: NamespaceMode.NODE}}}
  const request = toBinary(RunPodSandboxRequestSchema, create(RunPodSandboxRequestSchema, {config: {metadata, linux}}))
  const before = await logged('RunPodSandbox for ')
  await under(faultOf('hang-after-exec'), {method: 'RunPodSandbox'}, async () => {
    using client = rawCaller(path)
    await client.connection.ready
    // No sandbox is there within 20 ms. The connection goes with its client, as it does with a kubelet's call to a driver.
    const stream = await client.open('/runtime.v1.RuntimeService/RunPodSandbox', request, [{name: 'grpc-timeout', value: '20m'}])
    await systemClock.sleep(20)
    stream.reset(8)
    await client.connection.ping()
  })
  await until(async () => expect(await rig.crictl('pods', '--quiet', '--state', 'ready', '--name', 'lost')).not.toBe(''), 100)
  // That it begins, and the sandbox that it returns.
  expect((await logged('RunPodSandbox for ')) - before).toBe(2)
})

test('serveProxy() delays the calls for one container alone', async () => {
  const {rig, crictl, under} = runtime
  const sandbox = await runPod(rig, {name: 'two'})
  const slow = await startContainer(rig, sandbox, {name: 'slow'})
  const quick = await startContainer(rig, sandbox, {name: 'quick'})
  const took = await under(faultOf('delay', {before: 800}), {method: 'ContainerStatus', request: {containerId: slow}}, () =>
    Promise.all(
      [slow, quick].map(async (id) => {
        const started = systemClock.now()
        await crictl('inspect', id)
        return systemClock.now() - started
      }),
    ),
  )
  expect(took[0]).toBeGreaterThanOrEqual(800)
  expect(took[1]).toBeLessThan(800)
})

test('serveProxy() knows the calls of a pod by its name, from the calls that made it', async () => {
  const {rig, crictl, under} = runtime
  const through = {...rig, crictl}
  const fault = faultOf('error', {code: 'UNAVAILABLE', message: 'not this pod'})
  await under(fault, {method: '*Container*', pod: 'shop/named'}, async () => {
    const others = await runPod(through, {name: 'others', namespace: 'shop'})
    const named = await runPod(through, {name: 'named', namespace: 'shop'})
    await crictl('inspect', await startContainer(through, others, {name: 'main'}))
    await expect(startContainer(through, named, {name: 'main'})).rejects.toThrow(/not this pod/)
  })
})
