import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {systemClock} from '../../../src/base/clock.ts'
import {execThenError} from '../../../src/faults/exec-then-error.ts'
import {fakeSuccess} from '../../../src/faults/fake-success.ts'
import {loseReply} from '../../../src/faults/lose-reply.ts'
import {openCri} from '../../../src/wire/cri-client.ts'
import {ContainerState, PodSandboxState} from '../../../src/wire/gen/cri_pb.ts'
import {NamespaceMode, Signal} from '../../../src/wire/gen/cri-config_pb.ts'
import {type LabClients, refusal, startLabClients} from '../../support/lab-clients.ts'

let lab: LabClients
beforeAll(async () => {
  lab = await startLabClients()
})
afterAll(() => lab?.[Symbol.asyncDispose]())

const sh = (script: string) => ({command: ['sh', '-c', script]})

test('criRoutes() answers under both names of the API', async () => {
  const about = {version: '0.1.0', runtimeName: 'kubelimbo', runtimeVersion: expect.any(String)}
  expect(await lab.runtime.version({})).toMatchObject({...about, runtimeApiVersion: 'v1'})
  expect(await lab.older.version({})).toMatchObject({...about, runtimeApiVersion: 'v1alpha2'})
  expect(lab.cri.runtime).toMatchObject({name: 'kubelimbo', api: 'v1'})
  const sandbox = await lab.run('both')
  expect((await lab.older.podSandboxStatus({podSandboxId: sandbox})).status?.metadata?.name).toBe('both')
})

test('criRoutes() gives back unchanged what a client gave at RunPodSandbox', async () => {
  const given = {
    labels: {app: 'web'},
    annotations: {note: 'keep me'},
    linux: {securityContext: {namespaceOptions: {network: NamespaceMode.NODE, pid: NamespaceMode.CONTAINER}}},
  }
  const id = await lab.run('given', given)
  const {status, containersStatuses, timestamp} = await lab.runtime.podSandboxStatus({podSandboxId: id})
  expect(status).toMatchObject({
    id,
    metadata: {name: 'given', namespace: 'default', uid: 'uid-given', attempt: 0},
    state: PodSandboxState.SANDBOX_READY,
    labels: given.labels,
    annotations: given.annotations,
    linux: {namespaces: {options: {network: NamespaceMode.NODE, pid: NamespaceMode.CONTAINER}}},
    // It has the node's network, so no address of its own.
    network: {ip: ''},
  })
  expect(containersStatuses).toEqual([])
  expect(Number(timestamp / 1_000_000n)).toBeGreaterThan(Date.parse('2020-01-01'))
})

test('criRoutes() gives each sandbox an address while it is ready', async () => {
  const [one, other] = [await lab.run('ip-1'), await lab.run('ip-2')]
  const ip = async (podSandboxId: string) => (await lab.runtime.podSandboxStatus({podSandboxId})).status?.network?.ip ?? ''
  const addresses = [await ip(one), await ip(other), await ip(one)]
  expect(addresses[0]).toMatch(/^198\.18\.\d+\.\d+$/)
  expect(addresses[1]).not.toBe(addresses[0])
  expect(addresses[2]).toBe(addresses[0])
  await lab.runtime.stopPodSandbox({podSandboxId: one})
  expect(await ip(one)).toBe('')
})

test('criRoutes() gives back unchanged what a client gave at CreateContainer, but for its environment', async () => {
  const sandbox = await lab.run('config')
  const container = await lab.create(sandbox, 'config', {
    labels: {tier: 'front'},
    annotations: {note: 'keep me'},
    mounts: [{containerPath: '/data', hostPath: '/srv', readonly: true}],
    envs: [{key: 'TOKEN', value: new TextEncoder().encode('hunter2')}],
    logPath: 'config.log',
    stopSignal: Signal.SIGUSR1,
    linux: {resources: {cpuShares: 512n}, securityContext: {runAsUser: {value: 1000n}, supplementalGroups: [7n]}},
  })
  const {status, info} = await lab.runtime.containerStatus({containerId: container, verbose: true})
  expect(status).toMatchObject({
    id: container,
    metadata: {name: 'config', attempt: 0},
    state: ContainerState.CONTAINER_CREATED,
    startedAt: 0n,
    finishedAt: 0n,
    image: {image: 'docker.io/kubelimbo/lab:1'},
    imageRef: expect.stringMatching(/^docker\.io\/kubelimbo\/lab@sha256:/),
    imageId: expect.stringMatching(/^sha256:/),
    labels: {tier: 'front'},
    annotations: {note: 'keep me'},
    mounts: [{containerPath: '/data', hostPath: '/srv', readonly: true}],
    logPath: join(lab.folder, 'config.log'),
    resources: {linux: {cpuShares: 512n}},
    user: {linux: {uid: 1000n, gid: 0n, supplementalGroups: [0n, 7n]}},
    stopSignal: Signal.SIGUSR1,
  })
  expect(JSON.parse(info.info ?? '')).toMatchObject({sandboxID: sandbox})
  expect(JSON.stringify([info, lab.lab.timeline.events])).not.toContain('hunter2')
  await lab.runtime.updateContainerResources({containerId: container, linux: {cpuShares: 1024n}})
  expect((await lab.runtime.containerStatus({containerId: container})).status?.resources?.linux?.cpuShares).toBe(1024n)
})

test('criRoutes() shows what came another way than by a socket with the labels of a kubelet', async () => {
  lab.lab.world.addSandbox('direct', {namespace: 'default', name: 'direct', uid: 'u', attempt: 1})
  const {items} = await lab.runtime.listPodSandbox({filter: {labelSelector: {'io.kubernetes.pod.name': 'direct'}}})
  expect(items).toMatchObject([{id: 'direct', metadata: {attempt: 1}, labels: {'io.kubernetes.pod.uid': 'u'}}])
  lab.lab.world.removeSandbox('direct')
})

test('criRoutes(): what a sandbox was given is there although the answer was lost, and gone with it', async () => {
  lab.lab.rules.add({name: 'lost', match: {to: 'cri', method: 'RunPodSandbox', pod: 'default/lost'}, limit: 1, fault: loseReply()})
  await expect(
    lab.runtime.runPodSandbox({config: {metadata: {name: 'lost', namespace: 'default', uid: 'l'}, labels: {a: 'b'}}}, {timeoutMs: 300}),
  ).rejects.toThrow()
  const list = async () => (await lab.runtime.listPodSandbox({filter: {labelSelector: {a: 'b'}}})).items
  const [found] = await list()
  expect(found?.metadata?.name).toBe('lost')
  await lab.runtime.removePodSandbox({podSandboxId: found?.id ?? ''})
  expect(await list()).toEqual([])
})

test('criRoutes() goes by the rules of the lab and writes into its timeline', async () => {
  const {container} = await lab.running('ruled')
  lab.lab.rules.add({
    name: 'busy',
    match: {to: 'cri', method: 'StopContainer', pod: 'default/ruled'},
    limit: 1,
    fault: execThenError('ABORTED', 'not now'),
  })
  expect(await refusal(lab.runtime.stopContainer({containerId: container, timeout: 0n}))).toBe('Aborted: not now')
  expect((await lab.runtime.containerStatus({containerId: container})).status?.state).toBe(ContainerState.CONTAINER_EXITED)
  const calls = lab.lab.timeline.events.filter((event) => event.kind === 'call' && event.pod === 'default/ruled')
  expect(calls).toMatchObject([
    {method: 'RunPodSandbox', outcome: 'OK'},
    {method: 'CreateContainer', outcome: 'OK', request: {attempt: 0, image: 'kubelimbo/lab:1'}},
    {method: 'StartContainer', outcome: 'OK'},
    {method: 'StopContainer', outcome: 'ABORTED', fault: 'busy', request: {timeout: 0}},
    {method: 'ContainerStatus', outcome: 'OK'},
  ])
})

test('criRoutes() lets a client that gives up take its StopContainer back: no SIGKILL follows', async () => {
  const {container} = await lab.running('patient', sh("trap '' TERM; sleep infinity"))
  // The lab's 20 seconds are 400 milliseconds here.
  const stop = lab.runtime.stopContainer({containerId: container, timeout: 20n}, {timeoutMs: 100})
  expect(await refusal(stop)).toMatch(/^DeadlineExceeded/)
  const call = lab.lab.timeline.events.find(
    (event) => event.kind === 'call' && event.pod === 'default/patient' && event.method === 'StopContainer',
  )
  await expect.poll(() => call).toMatchObject({outcome: expect.stringMatching(/^(CANCELLED|DEADLINE_EXCEEDED)$/)})
  await systemClock.sleep(600)
  expect((await lab.runtime.containerStatus({containerId: container})).status?.state).toBe(ContainerState.CONTAINER_RUNNING)
})

test('criRoutes() passes on an answer that a rule made up, even an empty one', async () => {
  const {sandbox, container} = await lab.running('empty')
  const methods = ['ListPodSandbox', 'ListContainers', 'PodSandboxStatus', 'ContainerStatus', 'CreateContainer'] as const
  for (const method of methods) lab.lab.rules.add({name: `empty ${method}`, match: {to: 'cri', method}, limit: 1, fault: fakeSuccess()})
  expect((await lab.runtime.listPodSandbox({})).items).toEqual([])
  expect((await lab.runtime.listContainers({})).containers).toEqual([])
  expect((await lab.runtime.podSandboxStatus({podSandboxId: sandbox})).status).toBeUndefined()
  expect((await lab.runtime.containerStatus({containerId: container})).status).toBeUndefined()
  expect(await lab.create(sandbox, 'none')).toBe('')
  for (const method of methods) lab.lab.rules.remove(`empty ${method}`)
})

test.each<[string, () => Promise<unknown>, RegExp]>([
  ['podSandboxStatus', () => lab.runtime.podSandboxStatus({podSandboxId: 'no'}), /^NotFound: .*try to find sandbox "no": not found$/],
  ['containerStatus', () => lab.runtime.containerStatus({containerId: 'no'}), /^NotFound: .*try to find container "no": not found$/],
  ['containerStats', () => lab.runtime.containerStats({containerId: 'no'}), /^NotFound: /],
  ['podSandboxStats', () => lab.runtime.podSandboxStats({podSandboxId: 'no'}), /^NotFound: /],
  ['updateContainerResources', () => lab.runtime.updateContainerResources({containerId: 'no'}), /^NotFound: /],
  ['updatePodSandboxResources', () => lab.runtime.updatePodSandboxResources({podSandboxId: 'no'}), /^NotFound: /],
  ['reopenContainerLog', () => lab.runtime.reopenContainerLog({containerId: 'no'}), /^NotFound: /],
  ['execSync', () => lab.runtime.execSync({containerId: 'no', cmd: ['true']}), /^NotFound: /],
  ['runPodSandbox without metadata', () => lab.runtime.runPodSandbox({config: {}}), /^Unknown: sandbox config must include metadata$/],
  [
    'createContainer without metadata',
    () => lab.runtime.createContainer({config: {}}),
    /^Unknown: container config must include metadata$/,
  ],
  ['exec', () => lab.runtime.exec({}), /^Unimplemented: Exec: .*no processes to stream to/],
  ['attach', () => lab.runtime.attach({}), /^Unimplemented: Attach/],
  ['portForward', () => lab.runtime.portForward({}), /^Unimplemented: PortForward/],
  ['checkpointContainer', () => lab.runtime.checkpointContainer({}), /^Unimplemented: CheckpointContainer/],
  ['checkpointPod', () => lab.runtime.checkpointPod({}), /^Unimplemented: CheckpointPod/],
  ['restorePod', () => lab.runtime.restorePod({}), /^Unimplemented: RestorePod/],
  [
    'pullImage',
    () => lab.images.pullImage({image: {image: 'registry.invalid/x'}}),
    /^Unknown: failed to pull and unpack image "registry\.invalid\/x": .*no such host/,
  ],
])('criRoutes() refuses %s as containerd does', async (_, call, expected) => {
  expect(await refusal(call())).toMatch(expected)
})

test('criRoutes() refuses a container that it could not play, and says what it can', async () => {
  const sandbox = await lab.run('refused')
  expect(await refusal(lab.create(sandbox, 'odd', sh('curl example.org')))).toMatch(
    /^InvalidArgument: Cannot run the command as the lab must understand it: it is 'curl example\.org'\. The lab's shell understands /,
  )
  expect(await refusal(lab.create(sandbox, 'group', {linux: {securityContext: {runAsGroup: {value: 5n}}}}))).toBe(
    'Unknown: failed to generate user string: user group "5" is specified without user',
  )
  const missing = await lab.create(sandbox, 'missing', {command: ['nginx']})
  expect(await refusal(lab.runtime.startContainer({containerId: missing}))).toMatch(
    /^Unknown: .*"nginx": executable file not found in \$PATH$/,
  )
  expect((await lab.runtime.containerStatus({containerId: missing})).status).toMatchObject({
    exitCode: 128,
    reason: 'StartError',
    startedAt: 0n,
  })
})

test('criRoutes() stops and removes what is not there without a word', async () => {
  await lab.runtime.stopPodSandbox({podSandboxId: 'no'})
  await lab.runtime.removePodSandbox({podSandboxId: 'no'})
  await lab.runtime.stopContainer({containerId: 'no'})
  await lab.runtime.removeContainer({containerId: 'no'})
  await lab.images.removeImage({image: {image: 'no'}})
})

test('criRoutes() is a runtime that kubelimbo itself can read', async () => {
  await using cri = await openCri({path: lab.lab.path, clock: systemClock, connectTimeoutMs: 30_000, callTimeoutMs: 30_000})
  expect((await cri.status()).map(({type, status}) => [type, status])).toEqual([
    ['RuntimeReady', true],
    ['NetworkReady', true],
  ])
  const {container} = await lab.running('read')
  const {status, info} = await cri.containerStatus(container)
  expect(status?.state).toBe(ContainerState.CONTAINER_RUNNING)
  // There is no process that anybody could look for.
  expect(JSON.parse(info.info ?? '')).not.toHaveProperty('pid')
})
