import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {create, type MessageInitShape} from '@bufbuild/protobuf'
import {Code, ConnectError, type ServiceImpl} from '@connectrpc/connect'
import {expect, onTestFinished, test} from 'vitest'
import {scaledClock} from '../../../src/base/scaled-clock.ts'
import type {CriMethods} from '../../../src/kubelet/cri.ts'
import {CallFailure} from '../../../src/kubelet/port.ts'
import type {CriPort} from '../../../src/kubelet/ports.ts'
import * as v1 from '../../../src/wire/gen/cri_pb.ts'
import {NamespaceMode, type PodSandboxConfig, PodSandboxConfigSchema} from '../../../src/wire/gen/cri-config_pb.ts'
import * as v1alpha2 from '../../../src/wire/gen/cri-v1alpha2_pb.ts'
import {manualClock} from '../../support/manual-clock.ts'
import {type RecordingServer, recordingServer} from '../../support/recording-server.ts'
import {remoteCriOf} from '../../support/remote-options.ts'
import {tempDir} from '../../support/socket-dir.ts'
import {until} from '../../support/until.ts'

type Service = Partial<ServiceImpl<typeof v1.RuntimeService>>

const version = () => ({runtimeName: 'tested', runtimeVersion: '1'})

async function runtime(
  folder: string,
  service: Service,
  images: Partial<ServiceImpl<typeof v1.ImageService>> = {},
): Promise<RecordingServer> {
  const server = await recordingServer(join(folder, 'cri.sock'), (router) => {
    router.service(v1.RuntimeService, {version, ...service})
    router.service(v1.ImageService, images)
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  return server
}

async function opened(service: Service, more: {scale?: number; images?: Partial<ServiceImpl<typeof v1.ImageService>>} = {}) {
  const folder = tempDir()
  const server = await runtime(folder, service, more.images)
  const cri = await remoteCriOf({folder, ...(more.scale && {scale: more.scale})})
  onTestFinished(() => cri[Symbol.dispose]())
  return {folder, server, cri, port: cri.port, runtimeName: cri.runtimeName}
}

const patience = {timeoutMs: 20_000}

const call = <Method extends keyof CriMethods & string>(port: CriPort, method: Method, request: CriMethods[Method]['request']) =>
  port.call(method, request, patience)

const labels = {'io.kubernetes.pod.name': 'web', 'io.kubernetes.pod.namespace': 'default', 'io.kubernetes.pod.uid': 'u1'}
const metadata = {namespace: 'default', name: 'web', uid: 'u1', attempt: 1}
const second = 1_000_000_000n

test('openRemoteCri() asks the runtime what it is called, and rejects when there is none', async () => {
  const {runtimeName} = await opened({})
  expect(runtimeName).toBe('tested')
  const folder = tempDir()
  await expect(remoteCriOf({folder})).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: `connection error: desc = "transport: Error while dialing: dial unix ${join(folder, 'cri.sock')}: connect: no such file or directory"`,
  })
})

test('openRemoteCri() speaks v1alpha2 with a runtime that has nothing else', async () => {
  const folder = tempDir()
  await using server = await recordingServer(join(folder, 'cri.sock'), (router) => {
    router.service(v1alpha2.RuntimeService, {version, listPodSandbox: () => ({items: []})})
  })
  using cri = await remoteCriOf({folder})
  expect(cri.runtimeName).toBe('tested')
  expect(await call(cri.port, 'ListPodSandbox', {})).toEqual([])
  expect(server.calls.map(({path}) => path)).toEqual([
    '/runtime.v1.RuntimeService/Version',
    '/runtime.v1alpha2.RuntimeService/Version',
    '/runtime.v1alpha2.RuntimeService/ListPodSandbox',
  ])
})

test('RunPodSandbox and CreateContainer tell the runtime what a kubelet does', async () => {
  const seen: {run?: v1.RunPodSandboxRequest; create?: v1.CreateContainerRequest} = {}
  const {port, folder} = await opened({
    runPodSandbox: (request) => {
      seen.run = request
      return {podSandboxId: 's1'}
    },
    createContainer: (request) => {
      seen.create = request
      return {containerId: 'c1'}
    },
  })
  expect(await call(port, 'RunPodSandbox', {config: metadata})).toEqual({podSandboxId: 's1'})
  const namespaceOptions = {network: NamespaceMode.POD, pid: NamespaceMode.CONTAINER, ipc: NamespaceMode.POD}
  const sandbox: MessageInitShape<typeof PodSandboxConfigSchema> = {
    metadata,
    hostname: 'web',
    logDirectory: join(folder, 'logs/default_web_u1'),
    labels,
    linux: {cgroupParent: '/kubelet', securityContext: {namespaceOptions}},
  }
  expect(seen.run).toEqual(create(v1.RunPodSandboxRequestSchema, {config: sandbox}))

  const config = {
    metadata: {name: 'app', attempt: 2},
    image: 'busybox:1',
    command: ['sh'],
    annotations: {'io.kubernetes.container.hash': '1'},
    mounts: [{containerPath: '/data', hostPath: '/var/lib/kubelet/pods/u1/volumes/kubernetes.io~csi/pv/mount', readonly: true}],
    devices: [{containerPath: '/dev/xvda', hostPath: '/var/lib/kubelet/pods/u1/volumeDevices/kubernetes.io~csi/pv', permissions: 'mrw'}],
  }
  expect(await call(port, 'CreateContainer', {podSandboxId: 's1', config})).toEqual({containerId: 'c1'})
  expect(seen.create?.sandboxConfig).toEqual(create(PodSandboxConfigSchema, sandbox))
  expect(seen.create?.config).toMatchObject({
    metadata: {name: 'app', attempt: 2},
    image: {image: 'busybox:1'},
    command: ['sh'],
    labels: {...labels, 'io.kubernetes.container.name': 'app'},
    annotations: {'io.kubernetes.container.hash': '1'},
    mounts: [{containerPath: '/data', hostPath: join(folder, 'root/pods/u1/volumes/kubernetes.io~csi/pv/mount'), readonly: true}],
    devices: [{containerPath: '/dev/xvda', hostPath: join(folder, 'root/pods/u1/volumeDevices/kubernetes.io~csi/pv'), permissions: 'mrw'}],
    logPath: 'app/2.log',
    linux: {securityContext: {privileged: false, namespaceOptions}},
  })
  // The runtime makes no folder for the log.
  expect(existsSync(join(folder, 'logs/default_web_u1/app'))).toBe(true)
})

test('CreateContainer asks for a sandbox that an earlier kubelet has made', async () => {
  const asked: (PodSandboxConfig | undefined)[] = []
  const {port, server} = await opened({
    podSandboxStatus: ({podSandboxId}) => ({status: {id: podSandboxId, metadata, labels, createdAt: second}}),
    createContainer: ({sandboxConfig}) => {
      asked.push(sandboxConfig)
      return {containerId: 'c1'}
    },
  })
  await call(port, 'CreateContainer', {podSandboxId: 's9', config: {metadata: {name: 'app', attempt: 0}, image: 'i', command: []}})
  expect(asked).toMatchObject([{metadata}])
  expect(server.calls.map(({path}) => path.split('/').at(-1))).toEqual(['Version', 'PodSandboxStatus', 'CreateContainer'])
})

test('RemoveContainer and RemovePodSandbox take the logs away with them', async () => {
  const {port, folder} = await opened({
    runPodSandbox: () => ({podSandboxId: 's1'}),
    createContainer: () => ({containerId: 'c1'}),
    removeContainer: () => ({}),
    removePodSandbox: () => ({}),
  })
  await call(port, 'RunPodSandbox', {config: metadata})
  await call(port, 'CreateContainer', {podSandboxId: 's1', config: {metadata: {name: 'app', attempt: 0}, image: 'i', command: []}})
  await call(port, 'RemoveContainer', {containerId: 'c1'})
  expect(existsSync(join(folder, 'logs/default_web_u1/app'))).toBe(true)
  await call(port, 'RemovePodSandbox', {podSandboxId: 's1'})
  expect(existsSync(join(folder, 'logs/default_web_u1'))).toBe(false)
})

const sandboxRow = (id: string, at: bigint, state: v1.PodSandboxState = v1.PodSandboxState.SANDBOX_NOTREADY) => ({
  id,
  metadata,
  labels,
  createdAt: at * second,
  state,
})

test('ListPodSandbox has the pods of kubelets alone, by the time they were made, and the same object when nothing has changed', async () => {
  let items: MessageInitShape<typeof v1.PodSandboxSchema>[] = [
    sandboxRow('b', 2n),
    {id: 'foreign', metadata},
    sandboxRow('a', 1n, v1.PodSandboxState.SANDBOX_READY),
  ]
  const filters: unknown[] = []
  const {port} = await opened({
    listPodSandbox: ({filter}) => {
      filters.push(filter?.labelSelector)
      return {items}
    },
  })
  const first = await call(port, 'ListPodSandbox', {})
  expect(first).toEqual([
    {id: 'a', metadata, state: 'READY', createdAt: 1000},
    {id: 'b', metadata, state: 'NOTREADY', createdAt: 2000},
  ])
  items = items.toReversed()
  expect(await call(port, 'ListPodSandbox', {})).toBe(first)
  await call(port, 'ListPodSandbox', {podUid: 'u1'})
  items = items.slice(0, 1)
  expect(await call(port, 'ListPodSandbox', {})).toHaveLength(1)
  expect(filters).toEqual([undefined, undefined, {'io.kubernetes.pod.uid': 'u1'}, undefined])
})

test('ContainerStatus has milliseconds, the state, and how it ended', async () => {
  const row = {
    id: 'c1',
    podSandboxId: 's1',
    metadata: {name: 'app', attempt: 3},
    labels,
    image: {image: 'sha256:1'},
    createdAt: 5n * second,
  }
  const status = {
    ...row,
    image: {image: 'busybox:1'},
    state: v1.ContainerState.CONTAINER_EXITED,
    startedAt: 6n * second + 1_999_999n,
    finishedAt: 7n * second,
    exitCode: -1,
    reason: 'Error',
    message: 'said',
  }
  const {port} = await opened({
    listContainers: () => ({containers: [{...row, state: v1.ContainerState.CONTAINER_UNKNOWN}]}),
    containerStatus: () => ({status}),
  })
  const common = {
    id: 'c1',
    podSandboxId: 's1',
    pod: {namespace: 'default', name: 'web', uid: 'u1'},
    metadata: row.metadata,
    createdAt: 5000,
  }
  expect(await call(port, 'ListContainers', {})).toEqual([{...common, image: 'sha256:1', state: 'UNKNOWN'}])
  expect(await call(port, 'ContainerStatus', {containerId: 'c1'})).toEqual({
    ...common,
    image: 'busybox:1',
    state: 'EXITED',
    startedAt: 6001,
    finishedAt: 7000,
    exitCode: -1,
    reason: 'Error',
    message: 'said',
  })
})

test('ContainerStatus puts moments where they are by a clock that runs faster, and leaves those out that were not', async () => {
  const now = Date.now()
  const {port} = await opened(
    {containerStatus: () => ({status: {id: 'c1', labels, createdAt: BigInt(now + 1000) * 1_000_000n}})},
    {scale: 10},
  )
  const {createdAt, startedAt} = await call(port, 'ContainerStatus', {containerId: 'c1'})
  expect(createdAt - now).toBeGreaterThan(9000)
  expect(createdAt - now).toBeLessThanOrEqual(10_000)
  expect(startedAt).toBe(0)
})

test('StopContainer and ExecSync give programs their time in that of the runtime, rounded up', async () => {
  const timeouts: bigint[] = []
  const {port} = await opened(
    {
      stopContainer: ({timeout}) => {
        timeouts.push(timeout)
        return {}
      },
      execSync: ({timeout}) => {
        timeouts.push(timeout)
        return {exitCode: 4}
      },
    },
    {scale: 10},
  )
  for (const timeout of [30, 2, 0]) await call(port, 'StopContainer', {containerId: 'c1', timeout})
  expect(await call(port, 'ExecSync', {containerId: 'c1', cmd: ['true'], timeout: 15})).toEqual({exitCode: 4})
  expect(timeouts).toEqual([3n, 1n, 0n, 2n])
})

test('ImageStatus and PullImage', async () => {
  const images = {
    imageStatus: ({image}: v1.ImageStatusRequest) => (image?.image === 'here' ? {image: {id: 'sha256:1'}} : {}),
    pullImage: () => ({imageRef: 'sha256:1'}),
  }
  const {port} = await opened({}, {images})
  expect(await call(port, 'ImageStatus', {image: 'here'})).toEqual({present: true})
  expect(await call(port, 'ImageStatus', {image: 'not'})).toEqual({present: false})
  expect(await call(port, 'PullImage', {image: 'not'})).toEqual({imageRef: 'sha256:1'})
})

test.for([
  [Code.NotFound, 'NOT_FOUND', 'no such container'],
  [Code.Unknown, 'UNKNOWN', 'failed to stop: [[x]]'],
  [Code.Unimplemented, 'UNIMPLEMENTED', 'unknown method'],
  [Code.Aborted, 'ABORTED', 'an operation is pending'],
  [Code.DeadlineExceeded, 'DEADLINE_EXCEEDED', 'context deadline exceeded'],
] as const)('a call rejects with the code and the words of the runtime: %d', async ([code, name, message]) => {
  const {port} = await opened({
    removeContainer: () => {
      throw new ConnectError(message, code)
    },
  })
  const failure = await call(port, 'RemoveContainer', {containerId: 'c1'}).catch((error) => error)
  expect(failure).toBeInstanceOf(CallFailure)
  expect(failure).toMatchObject({code: name, message})
})

test.for([
  [1, 120_000, '120000m'],
  [10, 120_000, '12000m'],
  [7, 1000, '143m'],
  [1, 200_000_000, '200000S'],
  [1, Number.POSITIVE_INFINITY, undefined],
] as const)('a call at scale %d that may take %d ms is sent with the deadline %s', async ([scale, timeoutMs, sent]) => {
  const {port, server} = await opened({removeContainer: () => ({})}, {scale})
  await port.call('RemoveContainer', {containerId: 'c1'}, {timeoutMs})
  expect(server.calls.at(-1)).toMatchObject({timeout: sent})
})

const never = () => new Promise<never>(() => undefined)
const cancelCode = 8

test('a call ends with its deadline by the clock of the kubelet, and the runtime hears that it was taken back', async () => {
  const folder = tempDir()
  const server = await runtime(folder, {removeContainer: never})
  const clock = manualClock()
  using cri = await remoteCriOf({folder, clock: scaledClock(clock, 10)})
  let failure: unknown
  const over = cri.port.call('RemoveContainer', {containerId: 'c1'}, {timeoutMs: 120_000}).catch((error) => {
    failure = error
  })
  await until(async () => expect(server.calls).toHaveLength(2))
  await clock.advance(11_999)
  expect(failure).toBeUndefined()
  await clock.advance(1)
  await over
  expect(failure).toMatchObject({code: 'DEADLINE_EXCEEDED', message: 'context deadline exceeded'})
  await until(async () => expect(server.calls.at(-1)?.reset).toBe(cancelCode))
})

test('a call ends with the signal of its caller, and the runtime hears that it was taken back', async () => {
  const {port, server} = await opened({removeContainer: never})
  const controller = new AbortController()
  const answer = port.call('RemoveContainer', {containerId: 'c1'}, {timeoutMs: 20_000, signal: controller.signal})
  await until(async () => expect(server.calls).toHaveLength(2))
  controller.abort(new Error('the process has ended'))
  await expect(answer).rejects.toMatchObject({code: 'CANCELLED', message: 'context canceled'})
  await until(async () => expect(server.calls.at(-1)?.reset).toBe(cancelCode))
  await expect(port.call('RemoveContainer', {containerId: 'c1'}, {timeoutMs: 20_000, signal: controller.signal})).rejects.toMatchObject({
    code: 'CANCELLED',
  })
})

test('a call finds a runtime that was started again, and meanwhile says that there is none', async () => {
  const folder = tempDir()
  const path = join(folder, 'cri.sock')
  const service = (router: Parameters<Parameters<typeof recordingServer>[1]>[0]) => {
    router.service(v1.RuntimeService, {version, removeContainer: () => ({}), stopContainer: never})
  }
  const first = await recordingServer(path, service)
  using cri = await remoteCriOf({folder})
  await Promise.all([1, 2, 3].map((each) => call(cri.port, 'RemoveContainer', {containerId: `c${each}`})))
  expect(first.connections()).toBe(1)
  const open = call(cri.port, 'StopContainer', {containerId: 'c1', timeout: 1}).catch((error) => error)
  await until(async () => expect(first.calls).toHaveLength(5))
  await first[Symbol.asyncDispose]()
  expect(await open).toMatchObject({code: 'UNAVAILABLE', message: 'error reading from server: EOF'})
  await expect(call(cri.port, 'RemoveContainer', {containerId: 'c1'})).rejects.toMatchObject({code: 'UNAVAILABLE'})
  await using _ = await recordingServer(path, service)
  expect(await call(cri.port, 'RemoveContainer', {containerId: 'c1'})).toEqual({})
})

test('openRemoteCri() hears of the events that a runtime tells, and of no more from one that tells none', async () => {
  let heard = 0
  const {cri} = await opened({
    getContainerEvents: async function* () {
      yield {containerId: 'a'}
      yield {containerId: 'b'}
    },
  })
  await cri.hear(() => heard++)
  expect(heard).toBe(2)
  await (await opened({})).cri.hear(() => heard++)
  expect(heard).toBe(2)
})

test('openRemoteCri() tells all names of the images that there are', async () => {
  const images = {listImages: () => ({images: [{repoTags: ['a:1', 'a:2'], repoDigests: ['a@sha256:0']}, {repoTags: ['b:1']}]})}
  const {cri} = await opened({}, {images})
  expect(await cri.imageNames()).toEqual(['a:1', 'a:2', 'a@sha256:0', 'b:1'])
})
