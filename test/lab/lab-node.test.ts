import {expect, test} from 'vitest'
import {loseReply} from '../../src/faults/lose-reply.ts'
import type {KubeletOptions} from '../../src/kubelet/kubelet.ts'
import {CallFailure} from '../../src/kubelet/port.ts'
import {profileOf} from '../../src/kubelet/profiles.ts'
import {startLabNode} from '../../src/lab/lab-node.ts'

/** Runs each container of each pod once, and takes pods that are deleted down. */
function plainKubelet({ports: {api, cri, clock}, signal}: KubeletOptions) {
  const options = {timeoutMs: 120_000, signal}
  const sandboxes = new Map<string, {readonly podSandboxId: string; readonly ids: string[]}>()
  const quietly = (work: Promise<unknown>) => void work.catch((error) => expect(error).toBeInstanceOf(CallFailure))
  api.watchPods(({type, pod}) => {
    const {namespace, name, uid, deletionTimestamp} = pod.metadata
    if (type === 'ADDED') {
      quietly(
        (async () => {
          const config = {namespace, name, uid, attempt: 0}
          const {podSandboxId} = await cri.call('RunPodSandbox', {config}, options)
          const ids: string[] = []
          sandboxes.set(uid, {podSandboxId, ids})
          for (const {name: container, image, command} of pod.spec.containers) {
            const request = {podSandboxId, config: {metadata: {name: container, attempt: 0}, image, command}}
            const {containerId} = await cri.call('CreateContainer', request, options)
            ids.push(containerId)
            await cri.call('StartContainer', {containerId}, options)
          }
          const status = {...pod.status, phase: 'Running', startTime: clock.now()} as const
          await api.call('PATCH pod/status', {namespace, name, uid, status}, options)
        })(),
      )
    }
    if (type === 'MODIFIED' && deletionTimestamp !== undefined && pod.metadata.deletionGracePeriodSeconds !== 0) {
      quietly(
        (async () => {
          const {podSandboxId, ids} = sandboxes.get(uid) ?? {podSandboxId: '', ids: []}
          const timeout = pod.metadata.deletionGracePeriodSeconds ?? 0
          await Promise.all(ids.map((containerId) => cri.call('StopContainer', {containerId, timeout}, options)))
          await cri.call('StopPodSandbox', {podSandboxId}, options)
          await api.call('DELETE pod', {namespace, name, uid, gracePeriodSeconds: 0}, options)
        })(),
      )
    }
  }, signal)
  return {
    readiness: () => {},
    evict: () => {},
    pods: () => [],
    volumes: () => ({desired: [], mounted: [], inUse: []}),
    loopEnteredAt: () => 0,
  }
}

const start = Date.UTC(2020, 0, 1)
const labOf = (seed: number) => startLabNode({profile: profileOf('1.17.3'), seed, start, startKubelet: plainKubelet})

async function lives(seed: number) {
  const lab = labOf(seed)
  for (let index = 0; index < 5; index++) {
    const command = ['sh', '-c', index % 2 === 0 ? 'exit 1' : "trap 'exit 3' TERM; while :; do sleep 1; done"]
    void lab.client.createPod({metadata: {name: `never-${index}`}, spec: {restartPolicy: 'Never', containers: [{name: 'c', command}]}})
  }
  await lab.run(start + 5000)
  for (let index = 0; index < 5; index++) void lab.client.deletePod(`default/never-${index}`, 10)
  await lab.run(start + 60_000)
  return lab
}

test('startLabNode() takes a pod from its creation to its end', async () => {
  const {timeline} = await lives(1)
  const told = timeline.events.filter((event) => 'pod' in event && event.pod === 'default/never-1')
  expect(
    told.map((event) => {
      if (event.kind === 'call') return `${event.method} ${event.outcome}`
      if (event.kind === 'object') return event.type
      return event.kind === 'container' ? `${event.container ?? 'sandbox'} ${event.what} ${event.exitCode ?? ''}`.trim() : event.kind
    }),
  ).toEqual([
    'ADDED',
    'RunPodSandbox OK',
    'sandbox started',
    'CreateContainer OK',
    'c created',
    'StartContainer OK',
    'c started',
    'PATCH pod/status OK',
    'MODIFIED',
    'MODIFIED',
    'StopContainer OK',
    'c exited 3',
    'StopPodSandbox OK',
    'sandbox exited',
    'DELETE pod OK',
    'MODIFIED',
    'DELETED',
  ])
})

test('startLabNode() does the same for the same seed, and not for another', async () => {
  const bytes = async (seed: number) => JSON.stringify((await lives(seed)).timeline.events)
  expect(await bytes(7)).toBe(await bytes(7))
  expect(await bytes(7)).not.toBe(await bytes(8))
})

test('startLabNode() lets a fault hit the pod of its rule alone', async () => {
  const lab = labOf(3)
  lab.faults.add({name: 'lost', match: {to: 'cri', method: 'StopPodSandbox', pod: 'default/a'}, limit: 1, fault: loseReply()})
  for (const name of ['a', 'b']) void lab.client.createPod({metadata: {name}, spec: {containers: [{name: 'c'}]}})
  await lab.run(start + 5000)
  for (const name of ['a', 'b']) void lab.client.deletePod(`default/${name}`, 1)
  await lab.run(start + 300_000)
  const stops = lab.timeline.events.flatMap((event) => (event.kind === 'call' && event.method === 'StopPodSandbox' ? [event] : []))
  const lost = stops.find(({pod}) => pod === 'default/a')
  expect(lost).toMatchObject({outcome: 'DEADLINE_EXCEEDED', fault: 'lost', endedAt: (lost?.at ?? 0) + 120_000})
  expect(stops.find(({pod}) => pod === 'default/b')).not.toHaveProperty('fault')
})

test('startLabNode() restarts the kubelet, whose calls are cut and who knows nothing then', async () => {
  const lab = labOf(1)
  void lab.client.createPod({metadata: {name: 'a'}, spec: {containers: [{name: 'c'}]}})
  await lab.run(start + 50)
  lab.kubelet.restart(2000)
  expect(() => lab.kubelet.restart(1)).toThrow(/must run: it is down/)
  expect(() => lab.kubelet.evict('default/a', '')).toThrow(/must run: it is down/)
  await lab.run(start + 10_000)
  const runs = lab.timeline.events.flatMap((event) => (event.kind === 'call' && event.method === 'RunPodSandbox' ? [event] : []))
  expect(runs.map(({outcome, at}) => [outcome, at >= start + 2050])).toEqual([
    ['CANCELLED', false],
    ['OK', true],
  ])
})

test.each([
  ['createPod', (lab: ReturnType<typeof labOf>) => lab.client.createPod({metadata: {name: 'a'}, spec: {containers: []}}), 'AlreadyExists'],
  ['deletePod', (lab: ReturnType<typeof labOf>) => lab.client.deletePod('default/none'), 'NotFound'],
  ['removeFinalizers', (lab: ReturnType<typeof labOf>) => lab.client.removeFinalizers('default/none'), 'NotFound'],
])('client.%s() rejects as the server would', async (_, act, code) => {
  const lab = labOf(1)
  void lab.client.createPod({metadata: {name: 'a'}, spec: {containers: []}})
  await lab.run(start + 100)
  const outcome = act(lab).catch((error: CallFailure) => error.code)
  await lab.run(start + 200)
  expect(await outcome).toBe(code)
})

test('client.createPod() refuses a pod that the lab cannot run', async () => {
  const containers = [{name: 'c', command: ['sh', '-c', 'curl x']}]
  await expect(labOf(1).client.createPod({metadata: {name: 'a'}, spec: {containers}})).rejects.toThrow(/must understand it: it is 'curl x'/)
})
