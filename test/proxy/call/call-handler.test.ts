import {gzipSync} from 'node:zlib'
import {create, toBinary} from '@bufbuild/protobuf'
import {describe, expect, test} from 'vitest'
import {simulatedClock} from '../../../src/base/simulated-clock.ts'
import {fail} from '../../../src/faults/fail.ts'
import type {Rule} from '../../../src/faults/rule.ts'
import {errorCodes} from '../../../src/http2/fault.ts'
import {callHandler} from '../../../src/proxy/call/call-handler.ts'
import type {CallHandlerOptions} from '../../../src/proxy/call/handler-options.ts'
import {statusFields} from '../../../src/proxy/call/message/status-fields.ts'
import {nameIndex} from '../../../src/proxy/call/names/name-index.ts'
import {ruleBook} from '../../../src/proxy/call/rule-book.ts'
import {
  ContainerStatusResponseSchema,
  CreateContainerRequestSchema,
  CreateContainerResponseSchema,
  ListContainersResponseSchema,
  ListPodSandboxResponseSchema,
  PodSandboxStatusResponseSchema,
  RunPodSandboxRequestSchema,
  RunPodSandboxResponseSchema,
} from '../../../src/wire/gen/cri_pb.ts'
import {CreateVolumeRequestSchema, CreateVolumeResponseSchema, NodePublishVolumeRequestSchema} from '../../../src/wire/gen/csi_pb.ts'
import {answerOf, answerWith, fieldsFor, framed, messageOf, proxied, refuseWith, send, statusOf} from '../../support/proxied-calls.ts'

const unmatched: Rule = {name: 'r', match: {method: 'NodeStageVolume'}, fault: fail('INTERNAL')}
const byPod: Rule = {name: 'p', match: {pod: 'ns/none'}, fault: fail('INTERNAL')}

function handled(rules: readonly Rule[], more: Partial<CallHandlerOptions>, path = '/csi.v1.Identity/Probe') {
  const clock = simulatedClock(0)
  const handleCall = callHandler({
    book: ruleBook({rules, seed: 1, clock}),
    clock,
    names: nameIndex(),
    connection: 1,
    nextId: () => 1,
    underWay: {clients: 0, server: 0},
    decodeAll: false,
    signal: new AbortController().signal,
    healed: new AbortController().signal,
    dial: () => Promise.reject(new Error('no duplicates here')),
    ...more,
  })
  return handleCall({path, fields: fieldsFor(path), streamId: 1})
}

const watches = ({kind, ...rest}: ReturnType<typeof handled>) => [kind, 'watcher' in rest]

describe('callHandler()', () => {
  test.for<[what: string, ReturnType<typeof handled>, ReturnType<typeof watches>]>([
    ['lets pass, unwatched, what no rule is about', handled([unmatched], {}), ['pass', false]],
    ['watches for the trace', handled([unmatched], {onCall: () => undefined}), ['pass', true]],
    ['does not take what a rule could not look at', handled([byPod], {}, '/other.Service/Call'), ['pass', false]],
    ['takes what a rule must look at', handled([byPod], {}), ['take', false]],
    ['watches what is to be decoded', handled([], {decodeAll: true}), ['pass', true]],
    ['does not watch what it cannot decode', handled([], {decodeAll: true}, '/other.Service/Call'), ['pass', false]],
    ['takes what a rule takes by its HEADERS', handled([unmatched], {}, '/csi.v1.Node/NodeStageVolume'), ['take', false]],
    [
      'takes methods that nobody knows, too',
      handled([{...unmatched, match: {service: 'other.*'}}], {}, '/other.Service/Call'),
      ['take', false],
    ],
    ['lets pass what a rule takes no more', handled([{...unmatched, limit: 0}], {}, '/csi.v1.Node/NodeStageVolume'), ['pass', false]],
    ['lets pass what is no gRPC path at all', handled([byPod], {}, '*'), ['pass', false]],
  ])('%s', ([, handling, expected]) => {
    expect(watches(handling)).toEqual(expected)
  })

  test('lets all pass while the rules are paused', async () => {
    const lab = proxied({rules: [unmatched], serve: (call) => answerWith(call, framed(new Uint8Array(0)))})
    const client = lab.connect()
    lab.book.pause(true)
    await send(client, '/csi.v1.Node/NodeStageVolume')
    await lab.run(0)
    lab.book.pause(false)
    await send(client, '/csi.v1.Node/NodeStageVolume')
    await lab.run(0)
    expect(lab.calls.map(({code, rule}) => [code, rule])).toEqual([
      ['OK', undefined],
      ['INTERNAL', 'r'],
    ])
    expect(lab.book.list()).toMatchObject([{seen: 1, taken: 1}])
  })
})

describe('a call that passes is traced', () => {
  test('with its sizes, and decoded only where that is asked for', async () => {
    for (const decodeAll of [false, true]) {
      const body = messageOf(NodePublishVolumeRequestSchema, {volumeId: 'v1', readonly: true, secrets: {a: 'b'}})
      const lab = proxied({decodeAll, serve: (call) => refuseWith(call, 'NOT_FOUND', 'mount failed: password=hunter22')})
      const stream = await send(lab.connect(), '/csi.v1.Node/NodePublishVolume', {body, fields: [{name: 'grpc-timeout', value: '2M'}]})
      await lab.run(0)
      expect(statusOf(await answerOf(stream)).code).toBe(5)
      expect(lab.calls).toEqual([
        {
          id: 1,
          connection: 1,
          at: expect.any(Number),
          service: 'csi.v1.Node',
          method: 'NodePublishVolume',
          timeoutMs: 120_000,
          durationMs: 0,
          code: 'NOT_FOUND',
          message: 'mount failed: password=[redacted]',
          requestBytes: body.length,
          responseBytes: 0,
          class: 'final',
          ...(decodeAll ? {volume: 'v1', request: {volumeId: 'v1', readonly: true}} : {}),
        },
      ])
    }
  })

  test('by its own deadline or without it when the client gives up', async () => {
    const lab = proxied({serve: () => undefined})
    const client = lab.connect()
    const streams = [
      await send(client, '/csi.v1.Node/NodeStageVolume', {fields: [{name: 'grpc-timeout', value: '500m'}]}),
      await send(client, '/csi.v1.Node/NodeStageVolume', {fields: [{name: 'grpc-timeout', value: '2S'}]}),
    ]
    await lab.run(480)
    for (const stream of streams) stream.reset(errorCodes.CANCEL)
    await lab.run(1000)
    expect(lab.calls.map(({code, class: failure, owed}) => [code, failure, owed])).toEqual([
      ['DEADLINE_EXCEEDED', 'uncertain', 'NodeUnstageVolume'],
      ['CANCELLED', 'uncertain', 'NodeUnstageVolume'],
    ])
  })

  test.for([
    ['when its deadline has passed', 1003, 'DEADLINE_EXCEEDED'],
    ['as its deadline passes, by its own clock', 960, 'DEADLINE_EXCEEDED'],
    ['long before its deadline', 900, 'CANCELLED'],
  ] as const)('as given up by a client whose connection ends %s', async ([, ms, code]) => {
    for (const rules of [[], [byPod]]) {
      const lab = proxied({rules, serve: () => undefined})
      const client = lab.connect()
      const stream = await send(client, '/csi.v1.Node/NodeStageVolume', {fields: [{name: 'grpc-timeout', value: '999950u'}]})
      stream.response.catch(() => undefined)
      await lab.run(ms)
      client.destroy()
      await lab.run(2000)
      expect(lab.calls).toMatchObject([{code, durationMs: ms, timeoutMs: 999.95}])
    }
  })

  test('as UNAVAILABLE when the server’s connection ends, as what gRPC makes of it when the server resets the stream', async () => {
    const lab = proxied({serve: ({stream, path}) => (path.endsWith('A') ? stream.reset(errorCodes.REFUSED_STREAM) : undefined)})
    const client = lab.connect()
    for (const name of ['A', 'B']) {
      const stream = await send(client, `/x.Y/${name}`)
      stream.response.catch(() => undefined)
    }
    await lab.run(10)
    lab.endServers()
    await lab.run(20)
    expect(lab.calls.map(({method, code}) => [method, code])).toEqual([
      ['A', 'UNAVAILABLE'],
      ['B', 'UNAVAILABLE'],
    ])
  })
})

describe('names are learnt', () => {
  const pod = {namespace: 'ns', name: 'web-0', uid: 'u1'}
  const runtime = (method: string) => `/runtime.v1.RuntimeService/${method}`
  const labels = {'io.kubernetes.pod.name': 'web-0', 'io.kubernetes.pod.namespace': 'ns', 'io.kubernetes.pod.uid': 'u1'}
  const created = messageOf(CreateContainerRequestSchema, {
    podSandboxId: 's1',
    config: {metadata: {name: 'app'}},
    sandboxConfig: {metadata: pod},
  })
  const parameters = {
    'csi.storage.k8s.io/pvc/name': 'data',
    'csi.storage.k8s.io/pvc/namespace': 'ns',
    'csi.storage.k8s.io/pv/name': 'pvc-1',
  }

  test.for<
    [
      path: string,
      request: Uint8Array | undefined,
      answer: Uint8Array,
      learnt: (lab: ReturnType<typeof nameIndex>) => unknown,
      expected: unknown,
    ]
  >([
    [
      runtime('RunPodSandbox'),
      messageOf(RunPodSandboxRequestSchema, {config: {metadata: pod}}),
      messageOf(RunPodSandboxResponseSchema, {podSandboxId: 's1'}),
      (names) => [names.podOfSandbox('s1'), names.podOfUid('u1')],
      [pod, pod],
    ],
    [
      runtime('CreateContainer'),
      created,
      messageOf(CreateContainerResponseSchema, {containerId: 'c1'}),
      (names) => [names.container('c1'), names.podOfSandbox('s1')],
      [{name: 'app', sandboxId: 's1'}, pod],
    ],
    [
      runtime('ListPodSandbox'),
      undefined,
      messageOf(ListPodSandboxResponseSchema, {
        items: [
          {id: 's0', metadata: {...pod, name: 'w'}},
          {id: 's1', metadata: pod},
        ],
      }),
      (names) => [names.podOfSandbox('s0'), names.podOfSandbox('s1')],
      [{...pod, name: 'w'}, pod],
    ],
    [
      runtime('ListContainers'),
      undefined,
      messageOf(ListContainersResponseSchema, {containers: [{id: 'c1', podSandboxId: 's1', metadata: {name: 'app'}}]}),
      (names) => [names.container('c1')],
      [{name: 'app', sandboxId: 's1'}],
    ],
    [
      runtime('PodSandboxStatus'),
      undefined,
      messageOf(PodSandboxStatusResponseSchema, {status: {id: 's1', metadata: pod}}),
      (names) => [names.podOfSandbox('s1')],
      [pod],
    ],
    [
      runtime('ContainerStatus'),
      undefined,
      messageOf(ContainerStatusResponseSchema, {status: {id: 'c1', metadata: {name: 'app'}, labels}}),
      (names) => [names.container('c1')],
      [{name: 'app', sandboxId: '', pod}],
    ],
    [
      '/csi.v1.Controller/CreateVolume',
      messageOf(CreateVolumeRequestSchema, {name: 'pvc-1', parameters}),
      messageOf(CreateVolumeResponseSchema, {volume: {volumeId: 'v1'}}),
      (names) => [names.pvcOfVolume('v1'), names.pvcOfPv('pvc-1')],
      ['ns/data', 'ns/data'],
    ],
  ])('from %s, whether it passes or is taken', async ([path, body, answer, learnt, expected]) => {
    const reply = answer
    for (const rules of [[], [byPod]]) {
      const lab = proxied({rules, decodeAll: true, serve: (call) => answerWith(call, reply)})
      await send(lab.connect(), path, body && {body})
      await lab.run(0)
      expect(lab.calls).toMatchObject([{code: 'OK'}])
      expect(learnt(lab.names)).toMatchObject(expected as object)
    }
  })

  test('from a compressed answer, and not from an error', async () => {
    const list = toBinary(ListPodSandboxResponseSchema, create(ListPodSandboxResponseSchema, {items: [{id: 's1', metadata: pod}]}))
    for (const code of ['OK', 'INTERNAL']) {
      const lab = proxied({
        decodeAll: true,
        serve: async ({stream}) => {
          stream.sendHeaders([
            {name: ':status', value: '200'},
            {name: 'grpc-encoding', value: 'gzip'},
          ])
          await stream.write(framed(gzipSync(list), true))
          stream.end(statusFields({code, message: ''}))
        },
      })
      await send(lab.connect(), runtime('ListPodSandbox'))
      await lab.run(0)
      expect(lab.names.knowsSandbox('s1')).toBe(code === 'OK')
    }
  })

  test('so that a rule by a claim takes the call that has the volume’s id alone', async () => {
    const rule: Rule = {name: 'r', match: {pvc: 'ns/data', method: 'Node*Volume'}, fault: fail('INTERNAL')}
    const lab = proxied({rules: [rule], serve: (call) => answerWith(call, framed(new Uint8Array(0)))})
    lab.names.addVolume({pvc: 'ns/data', pv: 'pvc-1', driver: 'd'})
    const target = '/var/lib/kubelet/pods/u1/volumes/kubernetes.io~csi/pvc-1/mount'
    lab.book.pause(true)
    const client = lab.connect()
    await send(client, '/csi.v1.Node/NodePublishVolume', {
      body: messageOf(NodePublishVolumeRequestSchema, {volumeId: 'v1', targetPath: target}),
    })
    await lab.run(0)
    lab.book.pause(false)
    await send(client, '/csi.v1.Node/NodeStageVolume', {body: messageOf(NodePublishVolumeRequestSchema, {volumeId: 'v1'})})
    await lab.run(0)
    expect(lab.calls.map(({rule: name, pvc, code}) => [name, pvc, code])).toEqual([
      [undefined, 'ns/data', 'OK'],
      ['r', 'ns/data', 'INTERNAL'],
    ])
  })
})
