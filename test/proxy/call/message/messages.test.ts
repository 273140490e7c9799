import fc from 'fast-check'
import {expect, test} from 'vitest'
import {Capture} from '../../../../src/proxy/call/message/capture.ts'
import {codeName, codeNumber} from '../../../../src/proxy/call/message/codes.ts'
import {frameMessage, MessageSplitter} from '../../../../src/proxy/call/message/message-splitter.ts'
import {statusFields, statusIn} from '../../../../src/proxy/call/message/status-fields.ts'

test('MessageSplitter gives the same messages, wherever the body was cut', () => {
  const message = fc.record({compressed: fc.boolean(), bytes: fc.uint8Array({maxLength: 40})})
  fc.assert(
    fc.property(fc.array(message), fc.array(fc.nat(30)), fc.uint8Array({maxLength: 4}), (messages, cuts, rest) => {
      const body = Buffer.concat([...messages.map(frameMessage), rest])
      const splitter = new MessageSplitter()
      const got: object[] = []
      let at = 0
      for (const length of [...cuts, body.length]) {
        splitter.push(new Uint8Array(body.subarray(at, at + length)))
        at += length
        for (let next = splitter.next(); next !== undefined; next = splitter.next()) got.push({...next, bytes: new Uint8Array(next.bytes)})
      }
      expect(got).toEqual(messages)
      expect(new Uint8Array(splitter.rest())).toEqual(rest)
    }),
  )
})

test('statusFields() writes what statusIn() reads, in characters that a header field may have', () => {
  fc.assert(
    fc.property(fc.string({unit: 'grapheme'}), fc.constantFrom('OK', 'INTERNAL', 'UNAUTHENTICATED', '99'), (message, code) => {
      const fields = statusFields({code, message})
      for (const {value} of fields) expect(value).toMatch(/^[ -~]*$/)
      expect(statusIn(fields)).toEqual({code, message})
    }),
  )
})

test('statusIn() takes a message as lenient as grpc-go', () => {
  const read = (value: string) =>
    statusIn([
      {name: 'grpc-status', value: '13'},
      {name: 'grpc-message', value},
    ])?.message
  expect([read('100%'), read('%zz%C3%A4'), read('a%20b'), read('\xc3\xa4')]).toEqual(['100%', '%zzä', 'a b', 'ä'])
})

test('codeNumber() and codeName() are gRPC’s', () => {
  expect([codeNumber('OK'), codeNumber('UNIMPLEMENTED'), codeNumber('UNAUTHENTICATED'), codeNumber('NONE')]).toEqual([0, 12, 16, 2])
  expect([codeName(4), codeName(14), codeName(42)]).toEqual(['DEADLINE_EXCEEDED', 'UNAVAILABLE', '42'])
})

test('Capture keeps nothing of a body that is too large', () => {
  const capture = new Capture(20)
  capture.push(frameMessage({compressed: false, bytes: new Uint8Array(10)}))
  expect([...capture.messages()]).toHaveLength(1)
  capture.push(new Uint8Array(6))
  expect([...capture.messages()]).toEqual([])
})
