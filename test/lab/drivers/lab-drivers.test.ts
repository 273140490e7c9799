import {expect, test} from 'vitest'
import {loseReply} from '../../../src/faults/lose-reply.ts'
import type {Rule} from '../../../src/faults/rule.ts'
import type {KubeletOptions} from '../../../src/kubelet/kubelet.ts'
import type {BoundClaim} from '../../../src/kubelet/pod.ts'
import type {KubeletPorts} from '../../../src/kubelet/ports.ts'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import {startLabNode} from '../../../src/lab/lab-node.ts'

const claim = (name: string, driver = 'd'): BoundClaim => ({
  namespace: 'default',
  name,
  volumeName: `pv-${name}`,
  driver,
  volumeHandle: `vol-${name}`,
  volumeMode: 'Filesystem',
})

/** A kubelet that does nothing by itself, and the ports that each process of it had. */
function lab(rules: readonly Rule[] = []) {
  const given: KubeletPorts[] = []
  const startKubelet = ({ports}: KubeletOptions) => {
    given.push(ports)
    return {
      readiness: () => {},
      evict: () => {},
      pods: () => [],
      volumes: () => ({desired: [], mounted: [], inUse: []}),
      loopEnteredAt: () => 0,
    }
  }
  const drivers = [{name: 'd'}, {name: 'e'}]
  const claims = [claim('a'), claim('b', 'e')]
  const node = startLabNode({profile: profileOf('1.36.2'), seed: 1, start: 0, drivers, claims, rules, startKubelet})
  const ports = () => {
    const newest = given.at(-1)
    if (newest === undefined) throw new Error('no kubelet has started')
    return newest
  }
  const stage = async (driver: string, volumeId: string) => {
    let answer: unknown = 'no answer'
    const port = ports().csi(driver)
    if (port === undefined) return 'not registered'
    const request = {volumeId, stagingTargetPath: `/staging/${volumeId}`, volumeMode: 'Filesystem'} as const
    port.call('NodeStageVolume', request, {timeoutMs: 120_000}).then(
      () => (answer = 'OK'),
      (error) => (answer = error.code),
    )
    await node.run(node.now() + 100)
    return answer
  }
  return {node, ports, stage}
}

test('each driver has the volumes of its claims, and no other', async () => {
  const {stage, ports, node} = lab()
  expect([await stage('d', 'vol-a'), await stage('e', 'vol-b'), await stage('d', 'vol-b'), await stage('f', 'vol-a')]).toEqual([
    'OK',
    'OK',
    'NOT_FOUND',
    'not registered',
  ])
  expect(await ports().disk.isMountPoint('/staging/vol-b')).toBe(true)
  expect(node.timeline.events.filter(({kind}) => kind === 'disk')).toMatchObject([
    {what: 'made', path: '/staging/vol-a', entry: 'directory'},
    {what: 'mounted', path: '/staging/vol-a'},
    {what: 'made', path: '/staging/vol-b'},
    {what: 'mounted', path: '/staging/vol-b'},
  ])
})

test('the claims are in the API server, and the call is told by its claim', async () => {
  const {ports, node} = lab()
  let answer: unknown
  void ports()
    .api.call('GET persistentvolumeclaim', {namespace: 'default', name: 'b'}, {timeoutMs: 1000})
    .then((claim) => (answer = claim))
  await node.run(100)
  expect(answer).toEqual(claim('b', 'e'))
  expect(node.timeline.events).toMatchObject([
    {kind: 'call', method: 'GET persistentvolumeclaim', request: {claim: 'default/b'}, outcome: 'OK'},
  ])
})

test('a fault hits the call of a driver', async () => {
  const fault: Rule = {name: 'lost', match: {to: 'csi', method: 'NodeStageVolume', request: {volume: 'vol-a'}}, fault: loseReply()}
  const {stage, ports, node} = lab([fault])
  expect([await stage('d', 'vol-a'), await stage('e', 'vol-b')]).toEqual(['no answer', 'OK'])
  expect(await ports().disk.isMountPoint('/staging/vol-a')).toBe(true)
  await node.run(200_000)
  expect(node.timeline.events.find(({kind}) => kind === 'call')).toMatchObject({
    fault: 'lost',
    outcome: 'DEADLINE_EXCEEDED',
    endedAt: 120_000,
  })
})

test('restart() without its registration: the driver is registered, and its calls are UNAVAILABLE', async () => {
  const {node, stage} = lab()
  node.drivers.restart('d', 5000, false)
  expect([await stage('d', 'vol-a'), await stage('e', 'vol-b')]).toEqual(['UNAVAILABLE', 'OK'])
  expect(() => node.drivers.restart('d', 1, false)).toThrow(/must run/)
  await node.run(5000)
  expect(await stage('d', 'vol-a')).toBe('OK')
})

test('restart() with its registration: it is not registered until a little after it is back', async () => {
  const {node, stage} = lab()
  node.drivers.restart('d', 5000, true)
  expect([await stage('d', 'vol-a'), await stage('e', 'vol-b')]).toEqual(['not registered', 'OK'])
  await node.run(5000)
  expect(await stage('d', 'vol-a')).toBe('not registered')
  await node.run(6300)
  expect(await stage('d', 'vol-a')).toBe('OK')
})

test('a kubelet that starts again has to find the drivers, and the disk and what they did is as it was', async () => {
  const {node, ports, stage} = lab()
  await stage('d', 'vol-a')
  node.kubelet.restart(1000)
  await node.run(1200)
  expect(ports().csi('d')).toBeUndefined()
  await node.run(3000)
  expect(ports().csi('d')).toBeDefined()
  expect(await ports().disk.isMountPoint('/staging/vol-a')).toBe(true)
  expect(node.drivers.get('d')?.volumes()).toMatchObject([{handle: 'vol-a', stagedAt: '/staging/vol-a'}])
})

test('a claim of a driver that is not there is refused', () => {
  expect(() => startLabNode({profile: profileOf('1.36.2'), seed: 1, start: 0, claims: [claim('a', 'none')]})).toThrow(
    /must be one of the lab's: it is 'none'/,
  )
})
