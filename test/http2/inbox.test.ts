import fc from 'fast-check'
import {expect, test} from 'vitest'
import {Inbox} from '../../src/http2/inbox.ts'

function inbox() {
  const taken: number[] = []
  return {taken, box: new Inbox((bytes) => taken.push(bytes))}
}

const bytes = (...values: number[]) => Uint8Array.from(values)

test('Inbox hands out the bytes that came, in order, and tells of each once', async () => {
  const step = fc.oneof(fc.uint8Array({maxLength: 5000}), fc.constant('read' as const))
  await fc.assert(
    fc.asyncProperty(fc.array(step, {maxLength: 40}), async (steps) => {
      const {taken, box} = inbox()
      const sent: Uint8Array[] = []
      const read: Promise<Uint8Array | undefined>[] = []
      for (const one of steps) {
        if (one === 'read') read.push(box.read())
        else {
          // Pieces of a socket's buffer, which is used again.
          const backing = new Uint8Array(Buffer.concat([Buffer.alloc(7), one, Buffer.alloc(9)]))
          box.push(backing.subarray(7, 7 + one.length))
          sent.push(one)
        }
      }
      box.end()
      const out: Uint8Array[] = []
      for (const promise of read) out.push((await promise) ?? bytes())
      for (let piece = await box.read(); piece; piece = await box.read()) out.push(piece)
      const all = Buffer.concat(sent)
      expect(Buffer.concat(out).equals(all)).toBe(true)
      expect(taken.reduce((sum, size) => sum + size, 0)).toBe(all.length)
    }),
  )
})

test('Inbox keeps no more of a socket’s buffer than four times the piece', async () => {
  const {box} = inbox()
  box.push(new Uint8Array(65_536).subarray(0, 600))
  box.push(new Uint8Array(65_536).subarray(0, 1))
  expect((await box.read())?.buffer.byteLength).toBeLessThan(5000)
  expect((await box.read())?.buffer.byteLength).toBeLessThan(5000)
})

test('Inbox gives room for what it drops, by failure or as nobody wants it', async () => {
  const {taken, box} = inbox()
  box.push(bytes(1, 2, 3))
  box.fail(new Error('over'))
  expect(taken).toEqual([3])
  await expect(box.read()).rejects.toThrow('over')
  const other = inbox()
  other.box.push(bytes(1))
  other.box.discard()
  other.box.push(bytes(2, 3))
  other.box.end()
  expect(other.taken).toEqual([1, 2])
  expect(await other.box.read()).toBeUndefined()
})

test('Inbox fails those who wait', async () => {
  const {box} = inbox()
  const waiting = box.read()
  box.fail(new Error('over'))
  await expect(waiting).rejects.toThrow('over')
})
