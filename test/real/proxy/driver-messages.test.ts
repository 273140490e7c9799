// Faults that change what is said to a driver, what it says, or the order and pace of it.
import {existsSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {expect, test} from 'vitest'
import {systemClock} from '../../../src/base/clock.ts'
import {type FaultParameters, faultOf} from '../../../src/faults/faults.ts'
import {serveProxy} from '../../../src/proxy/serve-proxy.ts'
import {Identity, Node} from '../../../src/wire/gen/csi_pb.ts'
import {startCsiBind} from '../../support/csi-bind.ts'
import {getPluginInfo, nodeGetCapabilities, notifyRegistered} from '../../support/csi-calls.ts'
import {goCall} from '../../support/go-client.ts'
import {proxiedDriver, ruleOf} from '../../support/proxied-driver.ts'
import {rawCaller} from '../../support/raw-grpc.ts'
import {tempDir} from '../../support/socket-dir.ts'

const {getPluginInfo: pluginInfo} = Identity.method
const {nodeGetCapabilities: capabilities} = Node.method

test('serveProxy() rewrite: the driver stages where the rule says', async () => {
  const {driver, stage, folder} = await proxiedDriver(faultOf('rewrite', {request: {stagingTargetPath: '/somewhere/else'}}))
  expect((await stage()).code).toBe('OK')
  const state = await readFile(join(driver.state, 'state.json'), 'utf8')
  expect(state).toContain('/somewhere/else')
  expect(state).not.toContain(join(folder, 'staging'))
})

test('serveProxy() rewrite: the driver has another name', async () => {
  const {path, driver} = await proxiedDriver(faultOf('rewrite', {reply: {name: 'other.csi.test'}}), {method: 'GetPluginInfo'})
  expect((await goCall(path, pluginInfo, {})).reply?.name).toBe('other.csi.test')
  expect((await goCall(driver.socket, pluginInfo, {})).reply?.name).toBe(driver.name)
})

/** What becomes of the driver's own, which may be more than csi-bind's. */
const lists: readonly (readonly [string, FaultParameters, (own: readonly number[]) => readonly number[]])[] = [
  ['without STAGE_UNSTAGE_VOLUME', {drop: {'rpc.type': 'STAGE_UNSTAGE_VOLUME'}}, (own) => own.filter((type) => type !== 1)],
  ['without any', {drop: {}}, () => []],
  ['with one twice', {duplicate: {'rpc.type': 'GET_VOLUME_STATS'}}, (own) => own.flatMap((type) => (type === 2 ? [2, 2] : [type]))],
  ['with one made up', {phantom: {'rpc.type': 'VOLUME_MOUNT_GROUP'}}, (own) => [...own, 6]],
]

test.each(lists)('serveProxy() list-edit: capabilities %s', async (_, changes, become) => {
  const {path, driver} = await proxiedDriver(faultOf('list-edit', {list: 'capabilities', ...changes}), {method: 'NodeGetCapabilities'})
  const own = await nodeGetCapabilities(driver.socket)
  expect(own).toEqual(expect.arrayContaining([1, 2]))
  expect(await nodeGetCapabilities(path)).toEqual(become(own))
})

test('serveProxy() pad: the answer is more than grpc-go takes by default', async () => {
  const {path} = await proxiedDriver(faultOf('pad', {bytes: 4 * 1024 * 1024 + 1}), {method: 'GetPluginInfo'})
  const {code, message} = await goCall(path, pluginInfo, {}, {most: 4 * 1024 * 1024})
  expect([code, message]).toEqual(['ResourceExhausted', expect.stringMatching(/received message larger than max/)])
})

test('serveProxy() throttle: the answer takes the time that its bytes take', async () => {
  const {path} = await proxiedDriver(faultOf('throttle', {bytesPerSecond: 50}), {method: 'NodeGetCapabilities'})
  const {code, ms, reply} = await goCall(path, capabilities, {})
  expect([code, reply?.capabilities.length]).toEqual(['OK', expect.any(Number)])
  // At least two capabilities of four bytes each, and the five of the message's head.
  expect(ms).toBeGreaterThan(200)
})

test('serveProxy() reorder: of two calls the second is answered first', async () => {
  const {path} = await proxiedDriver(faultOf('reorder'), {method: 'NodeGetCapabilities'})
  using client = rawCaller(path)
  const order: string[] = []
  const ask = (name: string) => client.unary(capabilities, {}).then(() => order.push(name))
  await Promise.all([ask('first'), ask('second')])
  expect(order).toEqual(['second', 'first'])
})

test('serveProxy() register-lost: the kubelet is told yes, and the registrar nothing', async () => {
  const folder = tempDir()
  // csi-bind, as only it leaves a mark: the published registrar logs it.
  await using driver = await startCsiBind({kubeletRoot: join(folder, 'kubelet'), state: join(folder, 'state'), stageMount: true})
  const path = join(folder, 'r')
  const rules = [ruleOf(faultOf('register-lost'), {method: 'NotifyRegistrationStatus'})]
  await using proxy = await serveProxy({listen: path, upstream: driver.registration, rules, seed: 1, clock: systemClock})
  expect((await getPluginInfo(path)).name).toBe(driver.name)
  await notifyRegistered(path)
  const mark = join(dirname(driver.socket), 'registration')
  expect(existsSync(mark)).toBe(false)
  proxy.rules.clear()
  await notifyRegistered(path)
  expect(existsSync(mark)).toBe(true)
})
