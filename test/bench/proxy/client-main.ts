// The client of all that is measured, on src/http2, in a process of its own: a line of JSON in, a line out.
import {connect} from 'node:net'
import {createInterface} from 'node:readline'
import {type ClientConnection, openConnection} from '../../../src/http2/client-connection.ts'
import {fieldValue} from '../../../src/http2/header-field.ts'
import type {Measured, Work} from './work.ts'

const message = Buffer.concat([Buffer.from([0, 0, 0, 0, 100]), Buffer.alloc(100, 7)])
const fields = Object.entries({
  ':method': 'POST',
  ':scheme': 'http',
  ':path': '/bench.Bench/Echo',
  ':authority': 'localhost',
  'content-type': 'application/grpc',
  te: 'trailers',
}).map(([name, value]) => ({name, value}))

/** @returns milliseconds */
async function call(connection: ClientConnection): Promise<number> {
  const started = process.hrtime.bigint()
  const stream = await connection.request(fields)
  void stream.write(message)
  stream.end()
  await stream.response
  for await (const _ of stream);
  if (fieldValue(stream.trailers ?? [], 'grpc-status') !== '0') throw new Error('The call failed')
  return Number(process.hrtime.bigint() - started) / 1e6
}

/** One call after the other on each of so many streams. */
async function closedLoop(connection: ClientConnection, streams: number, ms: number): Promise<number[]> {
  const until = performance.now() + ms
  const latencies: number[] = []
  const one = async () => {
    while (performance.now() < until) latencies.push(await call(connection))
  }
  await Promise.all(Array.from({length: streams}, one))
  return latencies
}

/** So many calls a second, whether or not those before are answered. */
async function openLoop(connection: ClientConnection, perSecond: number, ms: number): Promise<number[]> {
  const started = performance.now()
  const calls: Promise<number>[] = []
  for (let passed = 0; passed < ms; passed = performance.now() - started) {
    while (calls.length < (passed * perSecond) / 1000) calls.push(call(connection))
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  return Promise.all(calls)
}

async function measure({address, ms, streams, perSecond}: Work): Promise<Measured> {
  const [, host = '', port] = /^tcp:(.+):(\d+)$/.exec(address) ?? []
  const socket = port === undefined ? connect(address) : connect({host, port: Number(port), noDelay: true})
  const connection = openConnection(socket)
  await closedLoop(connection, streams ?? 1, 100)
  const started = performance.now()
  const latencies = perSecond === undefined ? await closedLoop(connection, streams ?? 1, ms) : await openLoop(connection, perSecond, ms)
  const took = performance.now() - started
  connection.destroy()
  socket.destroy()
  return {latencies, perSecond: (latencies.length * 1000) / took}
}

for await (const line of createInterface(process.stdin)) process.stdout.write(`${JSON.stringify(await measure(JSON.parse(line)))}\n`)
