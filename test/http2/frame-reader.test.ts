import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import type {Fault} from '../../src/http2/fault.ts'
import {type Frame, flowLength} from '../../src/http2/frame.ts'
import {FrameReader} from '../../src/http2/frame-reader.ts'
import {writeFrame, writeHeaderBlock} from '../../src/http2/write-frame.ts'
import {anyFrame, chunked} from '../support/http2-frames.ts'

function readAll(chunks: readonly Uint8Array[], maxFrameSize?: number): (Frame | Fault)[] {
  const reader = new FrameReader(maxFrameSize)
  const frames: (Frame | Fault)[] = []
  for (const chunk of chunks) {
    reader.push(chunk)
    for (let frame = reader.next(); frame; frame = reader.next()) {
      frames.push(frame)
      if (frame.type === 'fault' && frame.scope === 'connection') return frames
    }
  }
  return frames
}

const plain = (value: unknown) =>
  JSON.parse(JSON.stringify(value, (_, part) => (part?.type === 'Buffer' ? part.data : part instanceof Uint8Array ? [...part] : part)))

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')

describe('FrameReader', () => {
  test('reads what writeFrame writes, whatever the chunks are', () => {
    fc.assert(
      fc.property(
        fc.array(anyFrame, {maxLength: 6}),
        fc.array(fc.integer({min: 1, max: 400}), {minLength: 1, maxLength: 9}),
        (frames, lengths) => {
          const bytes = Buffer.concat(frames.map(writeFrame))
          const read = readAll(chunked(bytes, lengths))
          expect(plain(read)).toEqual(plain(frames))
          expect(Buffer.concat(read.map((frame) => (frame.type === 'fault' ? Buffer.of() : writeFrame(frame))))).toEqual(bytes)
        },
      ),
      {numRuns: 300},
    )
  })

  test('reads any bytes the same, whatever the chunks are', () => {
    // Short lengths, so that there are frames in it.
    const noise = fc
      .array(fc.oneof(fc.uint8Array({maxLength: 40}), anyFrame.map(writeFrame)), {maxLength: 6})
      .map((parts) => Buffer.concat(parts))
    fc.assert(
      fc.property(noise, fc.array(fc.integer({min: 1, max: 50}), {minLength: 1, maxLength: 5}), (bytes, lengths) => {
        expect(plain(readAll(chunked(bytes, lengths)))).toEqual(plain(readAll([bytes])))
      }),
      {numRuns: 500},
    )
  })

  // RFC 9113, 6; each with the flags and the length that it must not have.
  test.each<[string, string, Partial<Fault>]>([
    ['DATA on stream 0', '000000 00 00 00000000', {scope: 'connection', code: 1}],
    ['DATA padded without a length', '000000 00 08 00000001', {scope: 'connection', code: 6}],
    ['DATA with as much padding as payload', '000002 00 08 00000001 02 00', {scope: 'connection', code: 1}],
    ['HEADERS on stream 0', '000001 01 04 00000000 82', {scope: 'connection', code: 1}],
    ['HEADERS with half a priority', '000004 01 24 00000001 00000000', {scope: 'connection', code: 6}],
    ['HEADERS with padding that reaches into the priority', '000007 01 2c 00000001 02 0000000010 00', {scope: 'connection', code: 1}],
    ['PRIORITY on stream 0', '000005 02 00 00000000 0000000000', {scope: 'connection', code: 1}],
    ['PRIORITY of 4 bytes', '000004 02 00 00000001 00000000', {scope: 'stream', code: 6}],
    ['RST_STREAM on stream 0', '000004 03 00 00000000 00000000', {scope: 'connection', code: 1}],
    ['RST_STREAM of 3 bytes', '000003 03 00 00000001 000000', {scope: 'connection', code: 6}],
    ['SETTINGS on a stream', '000000 04 00 00000001', {scope: 'connection', code: 1}],
    ['SETTINGS of 5 bytes', '000005 04 00 00000000 0001000000', {scope: 'connection', code: 6}],
    ['an acknowledgement with settings', '000006 04 01 00000000 000100000000', {scope: 'connection', code: 6}],
    ['PUSH_PROMISE without a stream', '000002 05 04 00000001 0000', {scope: 'connection', code: 6}],
    ['PING on a stream', '000008 06 00 00000001 0000000000000000', {scope: 'connection', code: 1}],
    ['PING of 7 bytes', '000007 06 00 00000000 00000000000000', {scope: 'connection', code: 6}],
    ['GOAWAY on a stream', '000008 07 00 00000001 0000000000000000', {scope: 'connection', code: 1}],
    ['GOAWAY of 7 bytes', '000007 07 00 00000000 00000000000000', {scope: 'connection', code: 6}],
    ['WINDOW_UPDATE of 3 bytes', '000003 08 00 00000000 000001', {scope: 'connection', code: 6}],
    ['WINDOW_UPDATE of the connection by 0', '000004 08 00 00000000 80000000', {scope: 'connection', code: 1}],
    ['WINDOW_UPDATE of a stream by 0', '000004 08 00 00000003 00000000', {scope: 'stream', streamId: 3, code: 1}],
    ['CONTINUATION on stream 0', '000000 09 04 00000000', {scope: 'connection', code: 1}],
    ['a frame of 16,385 bytes', '004001 63 00 00000000', {scope: 'connection', code: 6}],
  ])('finds the fault in %s', (_, bytes, fault) => {
    expect(readAll([hex(bytes)])).toEqual([expect.objectContaining({type: 'fault', ...fault})])
  })

  // Written out by hand from RFC 9113, so that writer and reader are not wrong together.
  test.each<[string, object]>([
    ['000003 00 01 00000005 616263', {type: 'DATA', streamId: 5, endStream: true, data: Buffer.from('abc')}],
    ['000006 00 08 00000005 02 616263 0000', {type: 'DATA', streamId: 5, endStream: false, data: Buffer.from('abc'), padding: 2}],
    ['000002 00 09 00000005 01 00', {type: 'DATA', streamId: 5, endStream: true, data: Buffer.of(), padding: 1}],
    [
      '000008 01 2d 80000007 01 80000003 0f 82 00',
      {
        type: 'HEADERS',
        streamId: 7,
        endStream: true,
        endHeaders: true,
        fragment: Buffer.of(0x82),
        priority: {exclusive: true, dependsOn: 3, weight: 15},
        padding: 1,
      },
    ],
    [
      '00000c 04 00 00000000 0004 00000005 00ff ffffffff',
      {
        type: 'SETTINGS',
        ack: false,
        values: [
          [4, 5],
          [255, 0xffffffff],
        ],
      },
    ],
    ['000004 08 00 00000000 ffffffff', {type: 'WINDOW_UPDATE', streamId: 0, increment: 2 ** 31 - 1}],
    ['000004 03 00 00000001 00000008', {type: 'RST_STREAM', streamId: 1, code: 8}],
    ['00000a 07 00 00000000 00000003 0000000b 6f68', {type: 'GOAWAY', lastStreamId: 3, code: 11, debug: Buffer.from('oh')}],
    ['000008 07 00 80000000 80000003 00000000', {type: 'GOAWAY', lastStreamId: 3, code: 0, debug: Buffer.of()}],
    ['000005 05 04 00000001 80000002 82', {type: 'PUSH_PROMISE', streamId: 1, promisedId: 2, endHeaders: true, fragment: Buffer.of(0x82)}],
    ['000001 fe aa 00000009 01', {type: 'UNKNOWN', kind: 254, flags: 0xaa, streamId: 9, payload: Buffer.of(1)}],
  ])('reads %s', (bytes, frame) => {
    expect(readAll([hex(bytes)])).toEqual([frame])
  })

  test('stays at a fault of the connection, and goes on after one of a stream', () => {
    const reader = new FrameReader()
    reader.push(hex('000004 02 00 00000001 00000000 000000 04 01 00000000 000000 00 00 00000000 000000 04 01 00000000'))
    expect(reader.next()).toMatchObject({scope: 'stream'})
    expect(reader.next()).toMatchObject({type: 'SETTINGS'})
    expect(reader.next()).toMatchObject({scope: 'connection'})
    expect(reader.next()).toMatchObject({scope: 'connection'})
  })

  test('takes frames as large as it is told', () => {
    const frame: Frame = {type: 'DATA', streamId: 1, endStream: false, data: Buffer.alloc(20_000)}
    expect(readAll([writeFrame(frame)], 20_000)).toHaveLength(1)
    expect(readAll([writeFrame(frame)], 19_999)).toMatchObject([{scope: 'connection', code: 6}])
  })
})

test('flowLength() counts padding and its length', () => {
  const data = Buffer.alloc(5)
  expect(flowLength({type: 'DATA', streamId: 1, endStream: false, data})).toBe(5)
  expect(flowLength({type: 'DATA', streamId: 1, endStream: false, data, padding: 0})).toBe(6)
  expect(flowLength({type: 'DATA', streamId: 1, endStream: false, data, padding: 255})).toBe(261)
})

test.each([
  [0, [0]],
  [10, [10]],
  [11, [10, 1]],
  [20, [10, 10]],
  [25, [10, 10, 5]],
])('writeHeaderBlock() cuts a block of %i bytes into %j', (length, pieces) => {
  const frames = readAll(writeHeaderBlock(3, Buffer.alloc(length), true, 10)) as (Frame & {fragment: Uint8Array; endHeaders: boolean})[]
  expect(frames.map(({fragment}) => fragment.length)).toEqual(pieces)
  expect(frames.map(({type}) => type)).toEqual(pieces.map((_, index) => (index === 0 ? 'HEADERS' : 'CONTINUATION')))
  expect(frames.map(({endHeaders}) => endHeaders)).toEqual(pieces.map((_, index) => index === pieces.length - 1))
  expect(frames[0]).toMatchObject({endStream: true, streamId: 3})
})
