import {create, type DescMessage, type MessageInitShape} from '@bufbuild/protobuf'
import {describe, expect, test} from 'vitest'
import {matches} from '../../../../src/faults/match/matches.ts'
import type {MatchedCall} from '../../../../src/faults/rule.ts'
import {calledMethod} from '../../../../src/proxy/call/call-head.ts'
import {describeCall} from '../../../../src/proxy/call/describe/describe-call.ts'
import {knownMethod} from '../../../../src/proxy/call/known-methods.ts'
import {nameIndex} from '../../../../src/proxy/call/names/name-index.ts'
import {shownRequest} from '../../../../src/proxy/call/trace/shown-request.ts'
import {
  CreateContainerRequestSchema,
  ListContainersRequestSchema,
  PullImageRequestSchema,
  RunPodSandboxRequestSchema,
  StopContainerRequestSchema,
  StopPodSandboxRequestSchema,
} from '../../../../src/wire/gen/cri_pb.ts'
import {
  ControllerPublishVolumeRequestSchema,
  CreateVolumeRequestSchema,
  NodePublishVolumeRequestSchema,
  NodeStageVolumeRequestSchema,
  NodeUnpublishVolumeRequestSchema,
} from '../../../../src/wire/gen/csi_pb.ts'

const names = nameIndex()
names.addSandbox('s1', {namespace: 'ns', name: 'web-0', uid: 'u1'})
names.addContainer('c1', {name: 'app', sandboxId: 's1'})
names.addContainer('c2', {name: 'side', sandboxId: '', pod: {namespace: 'ns', name: 'web-9', uid: 'u9'}})
names.addVolume({pvc: 'ns/data', volumeId: 'v1', pv: 'pvc-1', driver: 'd'})

function described<Desc extends DescMessage>(path: string, desc: Desc, init: MessageInitShape<Desc>): MatchedCall {
  const known = knownMethod(path)
  if (known === undefined) throw new Error(path)
  return describeCall(calledMethod(path), known, create(desc, init), names)
}

const runtime = (method: string) => `/runtime.v1.RuntimeService/${method}`
const node = (method: string) => `/csi.v1.Node/${method}`
const mount = '/var/lib/kubelet/pods/u1/volumes/kubernetes.io~csi/pvc-1/mount'

describe('describeCall() names', () => {
  test.for<[what: string, call: MatchedCall, names: object]>([
    [
      'the pod of a sandbox that is to be',
      described(runtime('RunPodSandbox'), RunPodSandboxRequestSchema, {config: {metadata: {namespace: 'ns', name: 'new', uid: 'u2'}}}),
      {to: 'cri', service: 'runtime.v1.RuntimeService', method: 'RunPodSandbox', pod: 'ns/new', podUid: 'u2'},
    ],
    [
      'the pod of a sandbox',
      described(runtime('StopPodSandbox'), StopPodSandboxRequestSchema, {podSandboxId: 's1'}),
      {pod: 'ns/web-0', podUid: 'u1'},
    ],
    [
      'the container and its pod',
      described(runtime('StopContainer'), StopContainerRequestSchema, {containerId: 'c1'}),
      {container: 'app', pod: 'ns/web-0', podUid: 'u1'},
    ],
    [
      'a container whose sandbox is not known',
      described(runtime('StopContainer'), StopContainerRequestSchema, {containerId: 'c2'}),
      {container: 'side', pod: 'ns/web-9', podUid: 'u9'},
    ],
    [
      'a container that is to be',
      described(runtime('CreateContainer'), CreateContainerRequestSchema, {podSandboxId: 's1', config: {metadata: {name: 'app'}}}),
      {container: 'app', pod: 'ns/web-0'},
    ],
    [
      'the older service',
      described('/runtime.v1alpha2.RuntimeService/StopPodSandbox', StopPodSandboxRequestSchema, {podSandboxId: 's1'}),
      {to: 'cri', service: 'runtime.v1alpha2.RuntimeService', pod: 'ns/web-0'},
    ],
    [
      'the pod for which an image is pulled',
      described('/runtime.v1.ImageService/PullImage', PullImageRequestSchema, {sandboxConfig: {metadata: {namespace: 'ns', name: 'p'}}}),
      {pod: 'ns/p'},
    ],
    [
      'the claim of a volume by its id, and the pod by the path',
      described(node('NodeUnpublishVolume'), NodeUnpublishVolumeRequestSchema, {volumeId: 'v1', targetPath: mount}),
      {to: 'csi', pvc: 'ns/data', pod: 'ns/web-0', podUid: 'u1'},
    ],
    [
      'the claim of a volume by the path alone',
      described(node('NodeUnpublishVolume'), NodeUnpublishVolumeRequestSchema, {volumeId: 'other', targetPath: mount}),
      {pvc: 'ns/data'},
    ],
    [
      'the claim of a raw block volume',
      described(node('NodeStageVolume'), NodeStageVolumeRequestSchema, {
        volumeId: 'other',
        stagingTargetPath: '/var/lib/kubelet/plugins/kubernetes.io/csi/volumeDevices/staging/pvc-1',
      }),
      {pvc: 'ns/data'},
    ],
    [
      'a pod that nobody has told of yet by its uid',
      described(node('NodePublishVolume'), NodePublishVolumeRequestSchema, {
        targetPath: '/var/lib/kubelet/plugins/kubernetes.io/csi/volumeDevices/publish/pvc-2/u7',
      }),
      {podUid: 'u7'},
    ],
    [
      'the pod in a volume’s context',
      described(node('NodePublishVolume'), NodePublishVolumeRequestSchema, {
        volumeContext: {
          'csi.storage.k8s.io/pod.name': 'p',
          'csi.storage.k8s.io/pod.namespace': 'ns',
          'csi.storage.k8s.io/pod.uid': 'u3',
        },
      }),
      {pod: 'ns/p', podUid: 'u3'},
    ],
    [
      'the claim for which a volume is made',
      described('/csi.v1.Controller/CreateVolume', CreateVolumeRequestSchema, {
        parameters: {'csi.storage.k8s.io/pvc/name': 'data', 'csi.storage.k8s.io/pvc/namespace': 'ns'},
      }),
      {pvc: 'ns/data'},
    ],
  ])('%s', ([, call, expected]) => {
    expect(call).toMatchObject(expected)
  })

  test('nothing that it does not know', () => {
    const call = described(runtime('StopPodSandbox'), StopPodSandboxRequestSchema, {podSandboxId: 'other'})
    expect(Object.keys(call)).toEqual(['to', 'service', 'method', 'request'])
  })
})

describe('describeCall() gives rules the request', () => {
  const call = described(runtime('ListContainers'), ListContainersRequestSchema, {
    filter: {id: 'c1', state: {state: 1}, labelSelector: {'app.kubernetes.io/name': 'web'}},
  })
  test.for<[path: string, value: string | number, matched: boolean]>([
    ['filter.id', 'c1', true],
    ['filter.state.state', 'CONTAINER_RUNNING', true],
    ['filter.labelSelector[app.kubernetes.io/name]', 'w*', true],
    ['filter.podSandboxId', '', true],
    ['filter.id', 'c2', false],
    ['nothing', '', false],
  ])('%s is %s: %s', ([path, value, matched]) => {
    expect(matches({request: {[path]: value}}, call)).toBe(matched)
  })

  test('with 64-bit numbers as numbers, and as texts where they are not exact', () => {
    const timeout = (value: bigint) => described(runtime('StopContainer'), StopContainerRequestSchema, {timeout: value}).request.timeout
    expect([timeout(30n), timeout(-1n), timeout(2n ** 53n + 1n), timeout(-(2n ** 63n))]).toEqual([
      30,
      -1,
      '9007199254740993',
      '-9223372036854775808',
    ])
  })
})

describe('describeCall() and shownRequest() keep secrets back:', () => {
  const secret = 'hunter2-is-the-word'
  const calls: readonly (readonly [string, MatchedCall])[] = [
    [
      'CSI’s secrets, and what looks like credentials in its contexts',
      described(node('NodePublishVolume'), NodePublishVolumeRequestSchema, {
        volumeId: 'v1',
        secrets: {user: secret, anything: secret},
        volumeContext: {password: secret, adminSecret: secret, share: '/x', 'csi.storage.k8s.io/serviceAccount.tokens': secret},
        publishContext: {accessKey: secret},
      }),
    ],
    [
      'those of a controller',
      described('/csi.v1.Controller/ControllerPublishVolume', ControllerPublishVolumeRequestSchema, {secrets: {a: secret}}),
    ],
    [
      'values of the environment',
      described(runtime('CreateContainer'), CreateContainerRequestSchema, {
        config: {envs: [{key: 'HARMLESS', value: Buffer.from(secret)}], labels: {token: secret}, annotations: {'x/password': secret}},
      }),
    ],
    [
      'a registry’s login',
      described('/runtime.v1.ImageService/PullImage', PullImageRequestSchema, {
        auth: {username: 'u', password: secret, auth: secret, identityToken: secret, registryToken: secret},
      }),
    ],
  ]
  test.for(calls)('%s', ([, call]) => {
    expect(JSON.stringify(call)).not.toContain(secret)
    expect(JSON.stringify(call)).toContain('[redacted]')
    expect(JSON.stringify(shownRequest(call))).not.toContain(secret)
  })

  test('a login in an address', () => {
    const call = described(node('NodeStageVolume'), NodeStageVolumeRequestSchema, {volumeId: `//user:${secret}@server/share`})
    expect(JSON.stringify(shownRequest(call))).not.toContain(secret)
  })
})
