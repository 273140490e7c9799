// Names of the pods and containers that a runtime has already, asked for once.
import type {Clock} from '../../../base/clock.ts'
import type {ClientConnection} from '../../../http2/client-connection.ts'
import {fieldValue, type HeaderField} from '../../../http2/header-field.ts'
import {answerCaptureOf, learn} from './captured-names.ts'
import type {NameIndex} from './name-index.ts'

/** Without them the proxy works as well: it learns them from the calls that pass. */
const patience = 2000

/** Runtimes before containerd 1.6 and CRI-O 1.20 have the second alone. */
const versions = ['v1', 'v1alpha2']

/** Never rejects: what cannot be had is not known. */
export async function learnFromRuntime(dial: () => Promise<ClientConnection>, names: NameIndex, clock: Clock): Promise<void> {
  let connection: ClientConnection | undefined
  const over = new AbortController()
  const ask = async () => {
    connection = await dial()
    if (over.signal.aborted) return connection.destroy()
    for (const version of versions) if (await list(connection, version, names)) return
  }
  await Promise.race([ask().catch(() => undefined), clock.sleep(patience, over.signal).catch(() => undefined)])
  over.abort()
  connection?.destroy()
}

/** False when the runtime has no such service. */
async function list(connection: ClientConnection, version: string, names: NameIndex): Promise<boolean> {
  const all = await Promise.all(['ListPodSandbox', 'ListContainers'].map((method) => ask(connection, version, method, names)))
  return all.every((answered) => answered)
}

async function ask(connection: ClientConnection, version: string, method: string, names: NameIndex): Promise<boolean> {
  const stream = await connection.request(fieldsFor(`/runtime.${version}.RuntimeService/${method}`))
  // A message of no field.
  stream.write(new Uint8Array(5)).catch(() => undefined)
  stream.end()
  const fields = await stream.response
  const answer = answerCaptureOf(method)
  answer?.headers(fields)
  for await (const piece of stream) answer?.push(piece)
  if (fieldValue(stream.trailers ?? fields, 'grpc-status') !== '0') return false
  learn(method, undefined, answer, names)
  return true
}

const fieldsFor = (path: string): HeaderField[] => [
  {name: ':method', value: 'POST'},
  {name: ':scheme', value: 'http'},
  {name: ':path', value: path},
  {name: ':authority', value: 'localhost'},
  {name: 'content-type', value: 'application/grpc'},
  {name: 'te', value: 'trailers'},
]
