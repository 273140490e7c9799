// Messages that the client compresses, and the server in its answer. That they were smaller on the wire is in a trailer of the server's.
import {brief, type Case} from './told.ts'

const plain = Buffer.from('kubelimbo '.repeat(20_000))

export const gzipCases: Readonly<Record<string, Case>> = {
  'compressed unary calls': async (client) =>
    Promise.all([5000, 200_000].map(async (size) => brief(await client.unary('Unary', plain.subarray(0, size))))),
  'a compressed stream': async (client) => brief(await client.serverStream('Repeat', plain, {metadata: {'x-count': '3'}})),
}
