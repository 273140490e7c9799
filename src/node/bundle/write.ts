// A snapshot as a bundle: a tar.gz that only its owner can read, without the secrets that were in the replies.
import {open, rm} from 'node:fs/promises'
import {promisify} from 'node:util'
import {gzip} from 'node:zlib'
import {packTar} from 'modern-tar'
import {formatInstant} from '../../base/instant.ts'
import {unwritten} from '../../base/unwritten.ts'
import type {Reading} from '../reading.ts'
import {recordingLine} from '../recorded/recording.ts'
import {type Format, redact} from '../redaction.ts'
import {type Snapshot, type SourceName, sourceNames} from '../snapshot.ts'
import {encoders} from './encode.ts'

export interface BundleContent {
  /** Name inside the bundle to text. */
  readonly files: ReadonlyMap<string, string>
  readonly redactions: readonly Redaction[]
}

export interface Redaction {
  readonly file: string
  readonly rule: string
  readonly count: number
}

/** Pure: the same snapshot gives the same files. */
export function bundleContent(snapshot: Snapshot, tool: string): BundleContent {
  const files = new Map<string, string>()
  const redactions: Redaction[] = []
  const readings = Object.fromEntries(
    sourceNames.map((name) => {
      const encoded = encodeSource(name, snapshot.readings[name])
      if (encoded.text === undefined) return [name, encoded.said]
      const {text, hits} = redact(encoded.text, formatOf(encoded.file))
      files.set(encoded.file, text)
      redactions.push(...Object.entries(hits).map(([rule, count]) => ({file: encoded.file, rule, count})))
      return [name, encoded.said]
    }),
  )
  if (snapshot.calls !== undefined) {
    const {calls, hits} = snapshot.calls
    // Their messages are without secrets already, as the .proto files know what is one.
    files.set(callsFile, calls.map(recordingLine).join(''))
    redactions.push(...Object.entries(hits).map(([rule, count]) => ({file: callsFile, rule, count})))
  }
  const others = Object.fromEntries(Object.entries(snapshot.unread).map(([name, why]) => [name, {state: 'absent', why}]))
  files.set('redaction.json', `${JSON.stringify(redactions, null, 2)}\n`)
  files.set('bundle.json', `${JSON.stringify(manifestOf(snapshot, tool, {...others, ...readings}), null, 2)}\n`)
  return {files, redactions}
}

const callsFile = 'calls.jsonl'

function formatOf(file: string): Format {
  return file.endsWith('.jsonl') ? 'json lines' : file.endsWith('.json') ? 'json' : 'text'
}

type Said = {readonly state: 'read'; readonly file: string; readonly incomplete?: string} | {readonly state: string; readonly why: string}

function encodeSource(name: SourceName, reading: Reading<unknown>): {readonly file: string; readonly text?: string; readonly said: Said} {
  const {file, text} = encoders[name]
  if (reading.state !== 'read') return {file, said: reading}
  const encoded = (text as (reading: Reading<unknown>) => string | undefined)(reading)
  if (encoded === undefined) return {file, said: {state: 'failed', why: 'the reply was not kept'}}
  const {incomplete} = reading
  return {file, text: encoded, said: {state: 'read', file, ...(incomplete !== undefined && {incomplete})}}
}

function manifestOf(snapshot: Snapshot, tool: string, readings: Readonly<Record<string, unknown>>): object {
  const {node, when, kubeletRoot: root, kubeletRootReal: rootReal, kubeletVersion: version, kubeletProcess: process, calls} = snapshot
  return {
    apiVersion: 'kubelimbo/v1',
    kind: 'NodeBundle',
    metadata: {node, when: formatInstant(when), tool},
    kubelet: {
      root,
      ...(rootReal !== undefined && {rootReal}),
      ...(version !== undefined && {version}),
      ...(process !== undefined && {process}),
    },
    ...(calls && {calls: {file: callsFile, ...(calls.missing.length > 0 && {missing: calls.missing})}}),
    readings,
  }
}

/**
 * Writes the archive, mode 0600. What is there already is left alone.
 * @throws UserError when the file cannot be made.
 */
export async function writeBundle(path: string, {files}: BundleContent, when: number): Promise<void> {
  const entries = [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, text]) => {
      const body = new TextEncoder().encode(text)
      return {header: {name, size: body.length, mode: 0o600, mtime: new Date(when), type: 'file' as const}, body}
    })
  const packed = await promisify(gzip)(await packTar(entries))
  const refused = (error: unknown) => Promise.reject(unwritten(`write ${path} as it must be a new file`, error))
  const file = await open(path, 'wx', 0o600).catch(refused)
  try {
    await file.writeFile(packed)
    await file.sync()
  } catch (error) {
    // Half a bundle would be taken for one.
    await rm(path, {force: true}).catch(() => undefined)
    await refused(error)
  } finally {
    await file.close()
  }
}
