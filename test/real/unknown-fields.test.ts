import {connect} from 'node:net'
import {type DescMessage, fromBinary, type Message} from '@bufbuild/protobuf'
import {type ReflectMessage, reflect} from '@bufbuild/protobuf/reflect'
import {createClient} from '@connectrpc/connect'
import {createGrpcTransport} from '@connectrpc/connect-node'
import {expect, test} from 'vitest'
import {ListContainersResponseSchema, ListPodSandboxResponseSchema, RuntimeService, RuntimeStatusSchema} from '../../src/wire/gen/cri_pb.ts'
import {startContainerd} from '../support/containerd.ts'
import type {Release} from '../support/containerd-parts.ts'
import {populate} from './population.ts'

// A field that a newer runtime has and cri.proto lacks would show here, and be missing from our JSON.
test.for<Release>(['debian', 'newest'])(
  'cri.proto lacks no field of what a real containerd (%s) lists, nor of the conditions in its Status',
  async (release) => {
    await using rig = await startContainerd(release)
    await populate(rig)
    const path = rig.endpoint.slice('unix://'.length)
    const nodeOptions = {createConnection: () => connect(path)}
    const runtime = createClient(RuntimeService, createGrpcTransport({baseUrl: 'http://localhost', nodeOptions}))
    expect(unknownFields(ListPodSandboxResponseSchema, await runtime.listPodSandbox({}))).toEqual([])
    expect(unknownFields(ListContainersResponseSchema, await runtime.listContainers({}))).toEqual([])
    // Of the rest of Status, of images and of a container's own status cri.proto names only what is read here or served by the lab.
    const {status} = await runtime.status({})
    expect(status?.conditions.map(({type}) => type)).toEqual(expect.arrayContaining(['RuntimeReady', 'NetworkReady']))
    expect(status && unknownFields(RuntimeStatusSchema, status)).toEqual([])
  },
)

test('unknownFields sees a field in an element of a list', () => {
  // items[0], three bytes: field 99 as a varint.
  const reply = fromBinary(ListPodSandboxResponseSchema, Uint8Array.of(0x0a, 3, 0x98, 0x06, 1))
  expect(unknownFields(ListPodSandboxResponseSchema, reply)).toEqual(['PodSandbox 99'])
})

/** 'Message field number', each once, of all fields that the schema does not name. */
function unknownFields<Desc extends DescMessage>(schema: Desc, message: Message): string[] {
  return [...new Set(walk(reflect(schema, message as never)))].toSorted()
}

function walk(message: ReflectMessage): string[] {
  const here = (message.getUnknown() ?? []).map(({no}) => `${message.desc.name} ${no}`)
  const below = message.fields.flatMap((field) => {
    if (!message.isSet(field)) return []
    if (field.fieldKind === 'message') return walk(message.get(field))
    if (field.fieldKind === 'list' && field.listKind === 'message')
      return [...message.get(field)].flatMap((each) => walk(each as ReflectMessage))
    return []
  })
  return [...here, ...below]
}
