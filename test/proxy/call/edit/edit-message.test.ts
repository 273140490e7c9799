import {create, type DescMessage, fromBinary, type MessageInitShape, toBinary} from '@bufbuild/protobuf'
import {BinaryReader, BinaryWriter, WireType} from '@bufbuild/protobuf/wire'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import type {Edit} from '../../../../src/faults/edit.ts'
import {editMessage} from '../../../../src/proxy/call/edit/edit-message.ts'
import {
  ContainerSchema,
  ContainerState,
  ContainerStatusResponseSchema,
  ListContainersResponseSchema,
  ListPodSandboxResponseSchema,
  PodSandboxState,
  StatusResponseSchema,
  VersionResponseSchema,
} from '../../../../src/wire/gen/cri_pb.ts'
import {NodeGetCapabilitiesResponseSchema, ProbeResponseSchema} from '../../../../src/wire/gen/csi_pb.ts'

function edited<Desc extends DescMessage>(desc: Desc, init: MessageInitShape<Desc>, ...edits: readonly Edit[]) {
  return fromBinary(desc, editMessage(desc, bytesOf(desc, init), edits))
}

const bytesOf = <Desc extends DescMessage>(desc: Desc, init: MessageInitShape<Desc>) => toBinary(desc, create(desc, init))

const containers = [
  {id: 'c1', metadata: {name: 'a', attempt: 1}, state: ContainerState.CONTAINER_RUNNING, createdAt: 5n, labels: {x: '1'}},
  {id: 'c2', metadata: {name: 'b', attempt: 0}, state: ContainerState.CONTAINER_EXITED, createdAt: 6n},
]

describe('editMessage() sets', () => {
  test.for<[what: string, path: string, value: unknown, expected: object]>([
    ['an enum by its name', 'containers[].state', 'CONTAINER_UNKNOWN', [{state: 3}, {state: 3}]],
    ['an enum by its number', 'containers[].state', 3, [{state: 3}, {state: 3}]],
    ['an enum that nobody knows', 'containers[].state', 77, [{state: 77}, {state: 77}]],
    ['64 bits as a text', 'containers[].createdAt', '-6795364578871345152', [{createdAt: -6795364578871345152n}, {}]],
    // biome-ignore lint/correctness/noPrecisionLoss: YAML has it as a number, too
    ['64 bits as a number that is not safe', 'containers[].createdAt', -6795364578871345152, [{createdAt: -6795364578871345152n}, {}]],
    ['a field by its name in the .proto file', 'containers[].created_at', 7, [{createdAt: 7n}, {createdAt: 7n}]],
    ['a field in a message', 'containers[].metadata.name', 'z', [{metadata: {name: 'z', attempt: 1}}, {metadata: {name: 'z'}}]],
    ['a field in a message that was not there', 'containers[].image.image', 'i', [{image: {image: 'i'}}, {image: {image: 'i'}}]],
    ['an entry of a map', 'containers[].labels[io.kubernetes.pod.name]', 'p', [{labels: {x: '1', 'io.kubernetes.pod.name': 'p'}}, {}]],
    ['one entry of a list', 'containers[1].id', 'z', [{id: 'c1'}, {id: 'z'}]],
    ['a field to nothing', 'containers[].metadata', null, [{id: 'c1'}, {id: 'c2'}]],
    ['a whole map', 'containers[].labels', {only: 'this'}, [{labels: {only: 'this'}}, {labels: {only: 'this'}}]],
  ])('%s', ([, path, value, expected]) => {
    expect(edited(ListContainersResponseSchema, {containers}, {kind: 'set', path, value}).containers).toMatchObject(expected)
  })

  test('a case of a oneof', () => {
    const init: MessageInitShape<typeof NodeGetCapabilitiesResponseSchema> = {capabilities: [{type: {case: 'rpc', value: {type: 1}}}]}
    const path = 'capabilities[].rpc.type'
    expect(
      edited(NodeGetCapabilitiesResponseSchema, init, {kind: 'set', path, value: 'GET_VOLUME_STATS'}).capabilities[0]?.type.value?.type,
    ).toBe(2)
  })

  test('a message that stands for a value', () => {
    expect(edited(ProbeResponseSchema, {}, {kind: 'set', path: 'ready', value: false}).ready).toBe(false)
  })

  test.for([
    ['containers[].nothing', 1, "Container has no field 'nothing'"],
    ['containers[].state', 'RUNNING', '\'containers[].state\' cannot be "RUNNING"'],
    ['containers.id', 'x', "'containers.id' leads to no field"],
    ['containers[', 'x', "'containers[' is no path of a field"],
  ])('nothing at %s to %s, as %s', ([path = '', value, why]) => {
    expect(() => edited(ListContainersResponseSchema, {containers}, {kind: 'set', path: `${path}`, value})).toThrow(why as string)
  })
})

describe('editMessage() of lists', () => {
  const ids = (...edits: readonly Edit[]) => edited(ListContainersResponseSchema, {containers}, ...edits).containers.map(({id}) => id)

  test.for<[Edit, string[]]>([
    [{kind: 'drop', list: 'containers'}, []],
    [{kind: 'drop', list: 'containers', where: {id: 'c1'}}, ['c2']],
    [{kind: 'drop', list: 'containers[]', where: {'metadata.name': 'b'}}, ['c1']],
    [{kind: 'drop', list: 'containers', where: {state: 'CONTAINER_EXITED'}}, ['c1']],
    [{kind: 'drop', list: 'containers', where: {state: 2, createdAt: 6}}, ['c1']],
    [{kind: 'drop', list: 'containers', where: {'labels[x]': '1'}}, ['c2']],
    [{kind: 'drop', list: 'containers', where: {id: 'none'}}, ['c1', 'c2']],
    [{kind: 'duplicate', list: 'containers', where: {id: 'c*'}}, ['c1', 'c1', 'c2', 'c2']],
    [{kind: 'phantom', list: 'containers', entry: {id: 'c3'}}, ['c1', 'c2', 'c3']],
  ])('%j', ([edit, expected]) => {
    expect(ids(edit)).toEqual(expected)
  })

  test('a phantom is the first one’s copy, with its own fields', () => {
    const [first, , phantom] = edited(
      ListContainersResponseSchema,
      {containers},
      {kind: 'phantom', list: 'containers', entry: {id: 'c3', 'metadata.attempt': 9}},
    ).containers
    expect(phantom).toEqual({...first, id: 'c3', metadata: {...first?.metadata, attempt: 9}})
  })

  test('a phantom of an empty list has its own fields alone', () => {
    const {items} = edited(ListPodSandboxResponseSchema, {}, {kind: 'phantom', list: 'items', entry: {id: 's', state: 'SANDBOX_NOTREADY'}})
    expect(items).toMatchObject([{id: 's', state: PodSandboxState.SANDBOX_NOTREADY}])
  })

  test('what is no list of messages is refused', () => {
    expect(() => edited(VersionResponseSchema, {}, {kind: 'drop', list: 'version'})).toThrow("'version' leads to no list of messages")
  })
})

describe('editMessage() pads', () => {
  const pad = (bytes: number): Edit => ({kind: 'pad', bytes})
  const samples: readonly (readonly [DescMessage, Uint8Array])[] = [
    [ListContainersResponseSchema, bytesOf(ListContainersResponseSchema, {containers})],
    [ContainerStatusResponseSchema, bytesOf(ContainerStatusResponseSchema, {status: {id: 'c1'}})],
    [VersionResponseSchema, bytesOf(VersionResponseSchema, {version: 'v1'})],
    [ListPodSandboxResponseSchema, new Uint8Array(0)],
  ]

  test.for([100, 127, 128, 129, 130, 131, 200, 16_383, 16_384, 16_390, 100_000, 4 * 1024 * 1024 + 1])(
    'to %i bytes or hardly more',
    (bytes) => {
      for (const [desc, message] of samples) {
        const {length} = editMessage(desc, message, [pad(bytes)])
        expect(length).toBeGreaterThanOrEqual(bytes)
        expect(length).toBeLessThanOrEqual(bytes + 8)
      }
    },
  )

  test('by an annotation of the first entry of a list', () => {
    const [first, second] = edited(ListContainersResponseSchema, {containers}, pad(1000)).containers
    expect(Object.keys(first?.annotations ?? {})).toEqual(['kubelimbo/pad'])
    expect(second?.annotations).toEqual({})
  })

  test('by a field that nobody knows where there are no annotations', () => {
    expect(edited(StatusResponseSchema, {}, pad(1000)).$unknown).toMatchObject([{no: 536_870_000}])
  })

  test('nothing that is long enough', () => {
    expect(edited(VersionResponseSchema, {version: 'v1'}, pad(2)).$unknown).toBeUndefined()
  })
})

test('editMessage() keeps the fields that are not in our .proto files, at every rank', () => {
  const unknown = (writer: BinaryWriter) => writer.tag(1000, WireType.LengthDelimited).string('new').tag(1001, WireType.Varint).uint32(7)
  const writer = new BinaryWriter()
  writer.tag(1, WireType.LengthDelimited).fork()
  writer.tag(1, WireType.LengthDelimited).string('c1')
  writer.tag(3, WireType.LengthDelimited).fork().tag(1, WireType.LengthDelimited).string('a')
  unknown(writer).join()
  unknown(writer).join()
  const bytes = unknown(writer).finish()
  const changed = editMessage(ListContainersResponseSchema, bytes, [
    {kind: 'set', path: 'containers[].state', value: 'CONTAINER_UNKNOWN'},
    {kind: 'phantom', list: 'containers', entry: {id: 'c2'}},
  ])
  const {
    $unknown,
    containers: [first, second],
  } = fromBinary(ListContainersResponseSchema, changed)
  const texts = [$unknown, first?.$unknown, first?.metadata?.$unknown, second?.$unknown, second?.metadata?.$unknown].map((fields) =>
    fields?.map(({no, data}) => [no, no === 1000 ? new BinaryReader(data).string() : data[0]]),
  )
  expect(texts).toEqual(
    Array(5).fill([
      [1000, 'new'],
      [1001, 7],
    ]),
  )
})

test('editMessage() without edits leaves every message as it is', () => {
  const container = fc.record({
    id: fc.string({unit: 'grapheme'}),
    state: fc.constantFrom(ContainerState.CONTAINER_CREATED, ContainerState.CONTAINER_UNKNOWN),
    createdAt: fc.bigInt({min: -(2n ** 63n), max: 2n ** 63n - 1n}),
    labels: fc.dictionary(fc.string(), fc.string()),
  })
  fc.assert(
    fc.property(fc.array(container), (containers) => {
      const bytes = toBinary(
        ListContainersResponseSchema,
        create(ListContainersResponseSchema, {containers: containers.map((init) => create(ContainerSchema, init))}),
      )
      expect(editMessage(ListContainersResponseSchema, bytes, [])).toEqual(bytes)
    }),
  )
})

test('editMessage() takes a field out for null', () => {
  const [first] = edited(ListContainersResponseSchema, {containers}, {kind: 'set', path: 'containers[].metadata', value: null}).containers
  expect(first?.metadata).toBeUndefined()
})
