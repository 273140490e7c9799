// A bundle: what was read of a node, as a folder or a tar.gz of it, to be looked at anywhere.
import {type FileHandle, open, stat} from 'node:fs/promises'
import {firstLine, UserError} from '../base/errors.ts'
import {parseInstant} from '../base/instant.ts'
import {archiveFiles} from './bundle/archive.ts'
import type {BundleFiles} from './bundle/bundle-files.ts'
import {decoders} from './bundle/decode.ts'
import {folderFiles, kindOf} from './bundle/folder.ts'
import {parseJsonLines} from './bundle/json-lines.ts'
import {type Manifest, type ManifestReading, parseManifest} from './bundle/manifest.ts'
import {shownName} from './bundle/plain-name.ts'
import {systemReason} from './bundle/system-reason.ts'
import {absent, failed, type Reading, read} from './reading.ts'
import {parseRecordedCall} from './recorded/recording.ts'
import {type Readings, type Snapshot, sourceNames} from './snapshot.ts'
import {coveredVolData} from './vol-data-coverage.ts'

export interface OpenOptions {
  /** Keeps the raw replies in the readings, for another bundle. */
  readonly keepReplies?: boolean
}

/**
 * The snapshot that a bundle holds. A file in it that cannot be read makes a reading failed, not the bundle.
 * @throws UserError when the path is no bundle, or is one that nobody would make in good faith.
 */
export async function openBundle(path: string, options: OpenOptions = {}): Promise<Snapshot> {
  try {
    return await readBundle(path, options)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    throw new UserError(error.message, {hint: error.hint ?? hint, exit: error.exit, cause: error})
  }
}

async function readBundle(path: string, options: OpenOptions): Promise<Snapshot> {
  const files = await openFiles(path)
  const manifest = await readManifest(files, path)
  const when = parseInstant(manifest.metadata.when, 'metadata.when')
  return {
    node: manifest.metadata.node,
    when,
    kubeletRoot: manifest.kubelet.root,
    ...(manifest.kubelet.rootReal === undefined ? {} : {kubeletRootReal: manifest.kubelet.rootReal}),
    kubeletVersion: manifest.kubelet.version,
    ...(manifest.kubelet.process === undefined ? {} : {kubeletProcess: manifest.kubelet.process}),
    readings: await readAll(files, manifest, when, options),
    ...(options.keepReplies === true && (await readCalls(files, manifest))),
    unread: unreadOf(manifest),
  }
}

const hint = 'A bundle is a folder with a bundle.json in it, or a tar.gz of one, as `kubelimbo snapshot` makes it'

async function openFiles(path: string): Promise<BundleFiles> {
  const stats = await stat(path).catch((error: unknown) => Promise.reject(cannotOpen(path, error)))
  if (stats.isDirectory()) return folderFiles(path)
  if (!stats.isFile()) throw new UserError(`Cannot open ${path} as a bundle must be a folder or an archive: it is ${kindOf(stats)}`)
  const file = await open(path).catch((error: unknown) => Promise.reject(cannotOpen(path, error)))
  try {
    await refuseRecording(file, path)
    return await archiveFiles(file, path)
  } finally {
    await file.close()
  }
}

/** By its head, which no archive begins with. @throws UserError */
async function refuseRecording(file: FileHandle, path: string): Promise<void> {
  const {buffer, bytesRead} = await file.read({buffer: Buffer.alloc(200), position: 0})
  if (!/^\{\s*"apiVersion":\s*"[^"]*",\s*"kind":\s*"Recording"/.test(buffer.toString('latin1', 0, bytesRead))) return
  throw new UserError(`Cannot open ${path} as a bundle must be a folder or an archive: it is a recording of calls`, {
    hint: 'serve it to real clients with `kubelimbo replay FILE`',
  })
}

function cannotOpen(path: string, error: unknown): UserError {
  return new UserError(`Cannot open the bundle ${path}: ${systemReason(error)}`, {cause: error})
}

async function readManifest(files: BundleFiles, path: string): Promise<Manifest> {
  const bytes = await files.read('bundle.json').catch((error) => {
    throw new UserError(`Cannot open ${path}: ${firstLine(error)}`, {cause: error})
  })
  if (bytes === undefined) throw new UserError(`Cannot open ${path} as a bundle must have a bundle.json: it has none`)
  return parseManifest(new TextDecoder().decode(bytes), `${path}/bundle.json`)
}

async function readAll(files: BundleFiles, manifest: Manifest, when: number, options: OpenOptions): Promise<Readings> {
  const readings: [string, Reading<unknown>][] = []
  // One after the other: the limit on all files together is counted down.
  for (const name of sourceNames) {
    readings.push([name, await readSource(files, manifest.readings[name], (text) => decoders[name](text, {when}), options)])
  }
  const all = Object.fromEntries(readings) as unknown as Readings
  return {...all, 'disk.vol-data': coveredVolData(all)}
}

async function readSource(
  files: BundleFiles,
  said: ManifestReading | undefined,
  decode: (text: string) => Reading<unknown>,
  {keepReplies = false}: OpenOptions,
): Promise<Reading<unknown>> {
  if (said === undefined) return absent('not in the bundle')
  if (said.state === 'absent') return absent(said.why)
  if (said.state === 'failed') return failed(said.why, said.tookMs, said.kind)
  try {
    const bytes = await files.read(said.file)
    if (bytes === undefined) return failed(`the bundle has no ${shownName(said.file)}`)
    const text = new TextDecoder().decode(bytes)
    const reading = decode(text)
    if (reading.state !== 'read') return reading
    return {...read(reading.value, said.incomplete ?? reading.incomplete), ...(keepReplies && {raw: text})}
  } catch (error) {
    return failed(firstLine(error))
  }
}

/** What of them cannot be read is not answered: it is no reason not to look at the rest. */
async function readCalls(files: BundleFiles, {calls: said}: Manifest): Promise<Pick<Snapshot, 'calls'>> {
  if (said === undefined) return {}
  try {
    const bytes = await files.read(said.file)
    if (bytes === undefined) return {}
    const {values: calls, skipped} = parseJsonLines(new TextDecoder().decode(bytes), parseRecordedCall)
    const missing = [...(said.missing ?? []), ...(skipped === 0 ? [] : [`${skipped} calls of it cannot be read`])]
    return {calls: {calls, hits: {}, missing}}
  } catch (error) {
    return {calls: {calls: [], hits: {}, missing: [firstLine(error)]}}
  }
}

function unreadOf(manifest: Manifest): Record<string, string> {
  const known: readonly string[] = sourceNames
  return Object.fromEntries(
    Object.entries(manifest.readings).flatMap(([name, said]) => (known.includes(name) || said.state === 'read' ? [] : [[name, said.why]])),
  )
}
