// Faults that change what a real containerd says: crictl prints what the rule says, and without the rule what is true.
import {afterAll, beforeAll, expect, test} from 'vitest'
import {systemClock} from '../../../src/base/clock.ts'
import {type FaultParameters, faultOf} from '../../../src/faults/faults.ts'
import {RuntimeService} from '../../../src/wire/gen/cri_pb.ts'
import {createContainer, runPod, type Sandbox, startContainer} from '../../support/crictl-pods.ts'
import {goCall} from '../../support/go-client.ts'
import {type ProxiedRuntime, startProxiedRuntime} from '../../support/proxied-runtime.ts'

let runtime: ProxiedRuntime
let sandbox: Sandbox
let [web, side] = ['', '']
beforeAll(async () => {
  runtime = await startProxiedRuntime()
  sandbox = await runPod(runtime.rig, {name: 'web'})
  web = await startContainer(runtime.rig, sandbox, {name: 'web'})
  side = await startContainer(runtime.rig, sandbox, {name: 'side'})
})
afterAll(() => runtime?.[Symbol.asyncDispose]())

const listed = async () =>
  (await runtime.crictl('ps', '-a', '-q', '--no-trunc'))
    .split('\n')
    .filter((id) => id !== '')
    .toSorted()
const phantom = 'f'.repeat(64)

const lists: readonly (readonly [string, FaultParameters, () => readonly string[]])[] = [
  ['drops one', {drop: {'metadata.name': 'web'}}, () => [side]],
  ['drops all', {drop: {}}, () => []],
  ['has one twice', {duplicate: {'metadata.name': 'side'}}, () => [web, side, side]],
  ['has a phantom', {phantom: {id: phantom, state: 'CONTAINER_RUNNING'}}, () => [web, side, phantom]],
]

test.each(lists)('serveProxy() list-edit: ListContainers %s', async (_, changes, expected) => {
  const list = {list: 'containers', ...changes}
  expect(await runtime.under(faultOf('list-edit', list), {method: 'ListContainers'}, listed)).toEqual(expected().toSorted())
  expect(await listed()).toEqual([web, side].toSorted())
})

test('serveProxy() list-edit stale: ListContainers says what it said before', async () => {
  await runtime.under(faultOf('list-edit', {stale: true}), {method: 'ListContainers'}, async () => {
    const before = await listed()
    const made = await createContainer(runtime.rig, sandbox, {name: 'made'})
    expect(await listed()).toEqual(before)
    expect(await runtime.rig.crictl('ps', '-a', '-q')).toContain(made.slice(0, 13))
    await runtime.rig.crictl('rm', made)
  })
})

test('serveProxy() error: a container is in the list, and its status is NotFound', async () => {
  const fault = faultOf('error', {code: 'NOT_FOUND', message: 'no such container'})
  await runtime.under(fault, {method: 'ContainerStatus', request: {containerId: web}}, async () => {
    expect(await listed()).toContain(web)
    await expect(runtime.crictl('inspect', web)).rejects.toThrow(/NotFound.*no such container/)
    expect(JSON.parse(await runtime.crictl('inspect', side)).status.id).toBe(side)
  })
})

/** By crictl inspect: createdAt is a time there, state a name. */
const statuses: readonly (readonly [Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>])[] = [
  [{'status.state': 'CONTAINER_UNKNOWN'}, {state: 'CONTAINER_UNKNOWN'}],
  [
    {'status.state': 'CONTAINER_EXITED', 'status.exitCode': 137, 'status.finishedAt': '4102444800000000000'},
    {state: 'CONTAINER_EXITED', exitCode: 137, finishedAt: '2100-01-01T00:00:00Z'},
  ],
  // What runtimes have said of containers that they knew nothing of (Go's zero time in nanoseconds).
  [{'status.createdAt': '-6795364578871345152'}, {createdAt: '1754-08-30T22:43:41.128654848Z'}],
  [{'status.startedAt': '4102444800000000000'}, {startedAt: '2100-01-01T00:00:00Z'}],
]

test.each(statuses)('serveProxy() rewrite: ContainerStatus with %j', async (reply, expected) => {
  const inspected = async () => JSON.parse(await runtime.crictl('inspect', web)).status
  const rewritten = await runtime.under(faultOf('rewrite', {reply}), {method: 'ContainerStatus'}, inspected)
  const real = await inspected()
  expect(rewritten).toEqual({...real, ...expected})
  expect(real).not.toMatchObject(expected)
})

test('serveProxy() rewrite: ContainerStatus with no time of creation, which the client of kubelet and crictl refuses', async () => {
  const fault = faultOf('rewrite', {reply: {'status.createdAt': 0}})
  await expect(runtime.under(fault, {method: 'ContainerStatus'}, () => runtime.crictl('inspect', web))).rejects.toThrow(
    /CreatedAt is not set/,
  )
})

test('serveProxy() pad: crictl takes no list of more than 16 MiB', async () => {
  const fault = faultOf('pad', {bytes: 16 * 1024 * 1024 + 1})
  await expect(runtime.under(fault, {method: 'ListContainers'}, listed)).rejects.toThrow(
    /ResourceExhausted.*received message larger than max/,
  )
  const {code, reply} = await runtime.under(fault, {method: 'ListContainers'}, () =>
    goCall(runtime.path, RuntimeService.method.listContainers, {}),
  )
  expect([code, reply?.containers.length]).toEqual(['OK', 2])
})

test('serveProxy() throttle: a list comes at the pace of the rule', async () => {
  const started = systemClock.now()
  const ids = await runtime.under(faultOf('throttle', {bytesPerSecond: 1000}), {method: 'ListContainers'}, listed)
  expect(ids).toEqual([web, side].toSorted())
  // Two containers with labels have some 900 bytes.
  expect(systemClock.now() - started).toBeGreaterThan(500)
})
