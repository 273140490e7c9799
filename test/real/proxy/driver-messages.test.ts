// Faults that change what is said to a driver, what it says, or the order and pace of it.
import {existsSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {expect, test} from 'vitest'
import {systemClock} from '../../../src/base/clock.ts'
import {type FaultParameters, faultOf} from '../../../src/faults/faults.ts'
import {serveProxy} from '../../../src/proxy/serve-proxy.ts'
import {Identity, Node} from '../../../src/wire/gen/csi_pb.ts'
import {getPluginInfo, nodeGetCapabilities, notifyRegistered} from '../../support/csi-calls.ts'
import {goCall} from '../../support/go-client.ts'
import {proxiedDriver, ruleOf} from '../../support/proxied-driver.ts'
import {rawCaller} from '../../support/raw-grpc.ts'

const {getPluginInfo: pluginInfo} = Identity.method
const {nodeGetCapabilities: capabilities} = Node.method
const [stageUnstage, volumeStats] = [1, 2]

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

const lists: readonly (readonly [string, FaultParameters, readonly number[]])[] = [
  ['without STAGE_UNSTAGE_VOLUME', {drop: {'rpc.type': 'STAGE_UNSTAGE_VOLUME'}}, [volumeStats]],
  ['without any', {drop: {}}, []],
  ['with one twice', {duplicate: {'rpc.type': 'GET_VOLUME_STATS'}}, [stageUnstage, volumeStats, volumeStats]],
  ['with one made up', {phantom: {'rpc.type': 'EXPAND_VOLUME'}}, [stageUnstage, volumeStats, 3]],
]

test.each(lists)('serveProxy() list-edit: capabilities %s', async (_, changes, expected) => {
  const {path, driver} = await proxiedDriver(faultOf('list-edit', {list: 'capabilities', ...changes}), {method: 'NodeGetCapabilities'})
  const own = await nodeGetCapabilities(driver.socket)
  const without = own.filter((type) => ![stageUnstage, volumeStats].includes(type))
  // A driver may have more of them than csi-bind.
  const seen = await nodeGetCapabilities(path)
  expect(seen.filter((type) => type === 3 || !without.includes(type)).toSorted()).toEqual(expected.toSorted())
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
  const {driver, folder} = await proxiedDriver(faultOf('hang-call'))
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
