import {expect, test} from 'vitest'
import {Outbox} from '../../src/http2/outbox.ts'

const bytes = (...values: number[]) => Uint8Array.from(values)
const trailers = [{name: 'a', value: 'b'}]

test('Outbox gives what was added in portions, and the end with the last one', async () => {
  const box = new Outbox()
  const sent = box.add(bytes(1, 2, 3))
  void box.add(bytes(4))
  box.end({})
  expect([box.take(2), box.takeEnding()]).toEqual([{bytes: bytes(1, 2), last: false}, undefined])
  expect(box.take(2)).toEqual({bytes: bytes(3), last: false})
  await sent
  expect(box.take(2)).toEqual({bytes: bytes(4), last: true})
  expect([box.hasBytes, box.takeEnding()]).toEqual([false, undefined])
})

test('Outbox gives trailers behind the last portion, once', () => {
  const box = new Outbox()
  void box.add(bytes(1))
  box.end({trailers})
  expect(box.takeEnding()).toBeUndefined()
  expect(box.take(9)).toEqual({bytes: bytes(1), last: false})
  expect([box.takeEnding(), box.takeEnding()]).toEqual([{trailers}, undefined])
})

test('Outbox gives an end without a body, and takes nothing behind it', async () => {
  const box = new Outbox()
  box.end({})
  box.end({trailers})
  await expect(box.add(bytes(1))).rejects.toThrow('Cannot write to a stream that was ended')
  expect([box.takeEnding(), box.takeEnding()]).toEqual([{}, undefined])
})

test('Outbox fails what waits and what comes', async () => {
  const box = new Outbox()
  const waiting = box.add(bytes(1))
  box.end({trailers})
  box.fail(new Error('over'))
  await expect(waiting).rejects.toThrow('over')
  await expect(box.add(bytes(1))).rejects.toThrow('over')
  expect([box.hasBytes, box.takeEnding()]).toEqual([false, undefined])
})
