import {BinaryWriter, WireType} from '@bufbuild/protobuf/wire'
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {readProtobuf} from '../../../src/lab/api/protobuf-body.ts'

const field = (number: number, bytes: Uint8Array | string): Uint8Array => {
  const writer = new BinaryWriter().tag(number, WireType.LengthDelimited)
  return (typeof bytes === 'string' ? writer.string(bytes) : writer.bytes(bytes)).finish()
}
const entry = (key: string, value: Uint8Array | string) => Buffer.concat([field(1, key), field(2, value)])
const envelope = (kind: string, raw: Uint8Array) =>
  Buffer.concat([
    Buffer.from('k8s\0'),
    field(1, Buffer.concat([field(1, 'v1'), field(2, kind)])),
    field(2, raw),
    field(3, ''),
    field(4, ''),
  ])

test('readProtobuf() reads a secret', () => {
  const metadata = Buffer.concat([field(1, 's'), field(3, 'n'), field(8, ''), field(11, entry('a', 'b')), field(11, entry('c', 'd'))])
  const raw = Buffer.concat([field(1, metadata), field(2, entry('key', Buffer.from([255, 0]))), field(3, 'Opaque')])
  expect(readProtobuf(envelope('Secret', raw))).toEqual({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {name: 's', namespace: 'n', labels: {a: 'b', c: 'd'}},
    data: {key: '/wA='},
    type: 'Opaque',
  })
})

test('readProtobuf() reads the options of a delete', () => {
  const grace = new BinaryWriter().tag(1, WireType.Varint).int64(7).finish()
  expect(readProtobuf(envelope('DeleteOptions', Buffer.concat([grace, field(2, field(1, 'u')), field(5, 'All')])))).toEqual({
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    gracePeriodSeconds: 7,
    preconditions: {uid: 'u'},
    dryRun: ['All'],
  })
})

test('readProtobuf() knows no other kind', () => {
  expect(readProtobuf(envelope('Pod', field(1, field(1, 'a'))))).toBeUndefined()
})

test('readProtobuf() lives with whatever comes', () => {
  const magic = Buffer.from('k8s\0')
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(() => [
        readProtobuf(bytes),
        readProtobuf(Buffer.concat([magic, bytes])),
        readProtobuf(envelope('Secret', bytes)),
      ]).not.toThrow()
    }),
  )
})
