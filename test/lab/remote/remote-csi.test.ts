import {join} from 'node:path'
import {create, type DescMessage, type MessageInitShape} from '@bufbuild/protobuf'
import {Code, ConnectError, type ServiceImpl} from '@connectrpc/connect'
import {expect, onTestFinished, test} from 'vitest'
import {systemClock} from '../../../src/base/clock.ts'
import {scaledClock} from '../../../src/base/scaled-clock.ts'
import type {CsiMethods} from '../../../src/kubelet/csi.ts'
import {inlineSpec} from '../../../src/kubelet/volumes/volume-spec.ts'
import {pathMap} from '../../../src/lab/disk/path-map.ts'
import {remoteCsi} from '../../../src/lab/remote/remote-csi.ts'
import * as csi from '../../../src/wire/gen/csi_pb.ts'
import {recordingServer} from '../../support/recording-server.ts'
import {tempDir} from '../../support/socket-dir.ts'
import {until} from '../../support/until.ts'

const {SINGLE_NODE_WRITER, MULTI_NODE_READER_ONLY} = csi.VolumeCapability_AccessMode_Mode

async function driver(service: Partial<ServiceImpl<typeof csi.Node>>) {
  const folder = tempDir()
  const path = join(folder, 'csi.sock')
  const server = await recordingServer(path, (router) => void router.service(csi.Node, service))
  onTestFinished(() => server[Symbol.asyncDispose]())
  const port = remoteCsi({
    path,
    clock: scaledClock(systemClock, 10),
    realPath: pathMap('/lab').toReal,
    podNames: (uid) => (uid === 'u1' ? {namespace: 'default', name: 'web'} : undefined),
  })
  const call = <Method extends keyof CsiMethods & string>(method: Method, request: CsiMethods[Method]['request']) =>
    port.call(method, request, {timeoutMs: 100_000})
  return {server, port, call}
}

/** What comes of a call at the driver. */
async function sent<Method extends Exclude<keyof CsiMethods & string, 'NodeGetCapabilities'>>(
  method: Method,
  request: CsiMethods[Method]['request'],
): Promise<unknown> {
  let came: unknown
  const answer = (each: unknown) => {
    came = each
    return {}
  }
  const {call} = await driver({nodeStageVolume: answer, nodeUnstageVolume: answer, nodePublishVolume: answer, nodeUnpublishVolume: answer})
  await call(method, request)
  return came
}

const message = <Desc extends DescMessage>(schema: Desc, init: MessageInitShape<Desc>) => create(schema, init)

const target = '/var/lib/kubelet/pods/u1/volumes/kubernetes.io~csi/pv1/mount'
const staging = '/var/lib/kubelet/plugins/kubernetes.io/csi/d/1/globalmount'
const pod = {
  'csi.storage.k8s.io/pod.name': 'web',
  'csi.storage.k8s.io/pod.namespace': 'default',
  'csi.storage.k8s.io/pod.uid': 'u1',
  'csi.storage.k8s.io/serviceAccount.name': 'default',
  'csi.storage.k8s.io/ephemeral': 'false',
}

test('NodeStageVolume of a filesystem has where it is staged, how it is used, and what its volume says', async () => {
  const use = {accessMode: 'ReadOnlyMany', fsType: 'xfs', volumeContext: {pool: 'fast'}} as const
  const request = {volumeId: 'h1', stagingTargetPath: staging, volumeMode: 'Filesystem', ...use} as const
  expect(await sent('NodeStageVolume', request)).toEqual(
    message(csi.NodeStageVolumeRequestSchema, {
      volumeId: 'h1',
      stagingTargetPath: '/lab/plugins/kubernetes.io/csi/d/1/globalmount',
      volumeCapability: {accessMode: {mode: MULTI_NODE_READER_ONLY}, accessType: {case: 'mount', value: {fsType: 'xfs'}}},
      volumeContext: {pool: 'fast'},
    }),
  )
})

test('NodePublishVolume of a filesystem tells of the pod besides', async () => {
  const request = {volumeId: 'h1', stagingTargetPath: staging, targetPath: target, volumeMode: 'Filesystem', readonly: true} as const
  expect(await sent('NodePublishVolume', {...request, volumeContext: {pool: 'fast'}})).toEqual(
    message(csi.NodePublishVolumeRequestSchema, {
      volumeId: 'h1',
      stagingTargetPath: '/lab/plugins/kubernetes.io/csi/d/1/globalmount',
      targetPath: '/lab/pods/u1/volumes/kubernetes.io~csi/pv1/mount',
      volumeCapability: {accessMode: {mode: SINGLE_NODE_WRITER}, accessType: {case: 'mount', value: {}}},
      readonly: true,
      volumeContext: {pool: 'fast', ...pod},
    }),
  )
})

test('NodePublishVolume of a raw block volume finds its pod by the path, too', async () => {
  const path = '/var/lib/kubelet/plugins/kubernetes.io/csi/volumeDevices/publish/pv1/u1'
  expect(await sent('NodePublishVolume', {volumeId: 'h1', targetPath: path, volumeMode: 'Block', readonly: false})).toMatchObject({
    targetPath: '/lab/plugins/kubernetes.io/csi/volumeDevices/publish/pv1/u1',
    stagingTargetPath: '',
    volumeCapability: {accessType: {case: 'block'}},
    volumeContext: pod,
  })
})

test('NodePublishVolume of an inline volume says that it is one', async () => {
  const {handle} = inlineSpec('u1', 'scratch', 'd')
  expect(await sent('NodePublishVolume', {volumeId: handle, targetPath: target, volumeMode: 'Filesystem', readonly: false})).toMatchObject({
    volumeContext: {...pod, 'csi.storage.k8s.io/ephemeral': 'true'},
  })
})

test('NodeUnpublishVolume and NodeUnstageVolume have the real paths', async () => {
  expect(await sent('NodeUnpublishVolume', {volumeId: 'h1', targetPath: target})).toMatchObject({
    volumeId: 'h1',
    targetPath: '/lab/pods/u1/volumes/kubernetes.io~csi/pv1/mount',
  })
  expect(await sent('NodeUnstageVolume', {volumeId: 'h1', stagingTargetPath: staging})).toMatchObject({
    volumeId: 'h1',
    stagingTargetPath: '/lab/plugins/kubernetes.io/csi/d/1/globalmount',
  })
})

test('NodeGetCapabilities has those that the kubelet asks for', async () => {
  const rpc = (type: number) => ({type: {case: 'rpc' as const, value: {type: type as csi.NodeServiceCapability_RPC_Type}}})
  const {call} = await driver({nodeGetCapabilities: () => ({capabilities: [1, 2, 5, 99].map(rpc)})})
  expect(await call('NodeGetCapabilities', {})).toEqual({capabilities: ['STAGE_UNSTAGE_VOLUME', 'GET_VOLUME_STATS']})
})

test('each call has a connection of its own, its deadline, and the code and words of the driver', async () => {
  const {call, server} = await driver({
    nodeGetCapabilities: () => ({}),
    nodeUnstageVolume: () => {
      throw new ConnectError('volume h1 is still published', Code.FailedPrecondition)
    },
  })
  await call('NodeGetCapabilities', {})
  await expect(call('NodeUnstageVolume', {volumeId: 'h1', stagingTargetPath: staging})).rejects.toMatchObject({
    name: 'CallFailure',
    code: 'FAILED_PRECONDITION',
    message: 'volume h1 is still published',
  })
  expect(server.connections()).toBe(2)
  expect(server.calls).toEqual([
    {path: '/csi.v1.Node/NodeGetCapabilities', timeout: '10000m'},
    {path: '/csi.v1.Node/NodeUnstageVolume', timeout: '10000m'},
  ])
})

test('a call that the kubelet has given up is taken back at the driver', async () => {
  const {port, server} = await driver({nodeStageVolume: () => new Promise(() => undefined)})
  const request = {volumeId: 'h1', stagingTargetPath: staging, volumeMode: 'Filesystem'} as const
  await expect(port.call('NodeStageVolume', request, {timeoutMs: 3000})).rejects.toMatchObject({code: 'DEADLINE_EXCEEDED'})
  await until(async () => expect(server.calls.at(-1)).toMatchObject({timeout: '300m', reset: 8}))
})

test('a call of a driver whose socket is gone says so as grpc-go does', async () => {
  const {call, server} = await driver({})
  await server[Symbol.asyncDispose]()
  await expect(call('NodeGetCapabilities', {})).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringMatching(
      /^connection error: desc = "transport: Error while dialing: dial unix .*csi\.sock: connect: no such file or directory"$/,
    ),
  })
})
