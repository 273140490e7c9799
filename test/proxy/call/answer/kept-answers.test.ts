import {setImmediate as turn} from 'node:timers/promises'
import {expect, test} from 'vitest'
import type {AnswerSource} from '../../../../src/proxy/call/answer/answer.ts'
import {eager} from '../../../../src/proxy/call/answer/eager.ts'
import {collect, replay} from '../../../../src/proxy/call/answer/whole-answer.ts'

const mebibyte = new Uint8Array(1024 * 1024)
const fields = [{name: ':status', value: '200'}]
const trailers = [{name: 'grpc-status', value: '0'}]

/** Of so many pieces, a mebibyte each; then it ends, or fails. */
function answerOf(pieces: number, failure?: Error) {
  const taken = {count: 0}
  const source: AnswerSource = {
    fields: Promise.resolve(fields),
    atEnd: false,
    read: async () => {
      if (taken.count === pieces && failure !== undefined) throw failure
      return taken.count++ < pieces ? mebibyte : undefined
    },
    trailers,
  }
  return {source, taken}
}

async function mebibytesOf(source: AnswerSource): Promise<number> {
  let bytes = 0
  for (let piece = await source.read(); piece !== undefined; piece = await source.read()) bytes += piece.length
  return bytes / mebibyte.length
}

test('collect() keeps an answer of up to 64 MiB, which can be given again and again', async () => {
  const {source, whole} = await collect(answerOf(64).source)
  expect(whole).toMatchObject({fields, trailers, bytes: 64 * mebibyte.length})
  expect(await mebibytesOf(source)).toBe(64)
  if (whole) expect([await mebibytesOf(replay(whole)), await mebibytesOf(replay(whole))]).toEqual([64, 64])
})

test('collect() passes on an answer that is larger, from its beginning', async () => {
  const {source, taken} = answerOf(70)
  const collected = await collect(source)
  expect([collected.whole, taken.count]).toEqual([undefined, 65])
  expect(await collected.source.fields).toEqual(fields)
  expect(await mebibytesOf(collected.source)).toBe(70)
  expect(collected.source.trailers).toEqual(trailers)
})

test('eager() reads ahead, up to 64 MiB, and goes on as it is taken from', async () => {
  const {source, taken} = answerOf(100)
  const ahead = eager(source)
  await turn()
  expect([taken.count, ahead.atEnd]).toEqual([65, false])
  await ahead.read()
  await turn()
  expect(taken.count).toBe(66)
  expect(await mebibytesOf(ahead)).toBe(99)
  expect([ahead.atEnd, ahead.trailers]).toEqual([true, trailers])
})

test('eager() fails where the answer does, behind what came before', async () => {
  const ahead = eager(answerOf(2, new Error('gone')).source)
  await turn()
  expect([await ahead.read(), await ahead.read()]).toEqual([mebibyte, mebibyte])
  await expect(ahead.read()).rejects.toThrow('gone')
})

test('eager() is at its end when the answer is, before anything was read ahead: it may be trailers-only', async () => {
  const ahead = eager({...answerOf(0).source, atEnd: true, trailers: undefined})
  expect(ahead.atEnd).toBe(true)
  expect([await ahead.read(), ahead.trailers]).toEqual([undefined, undefined])
})
