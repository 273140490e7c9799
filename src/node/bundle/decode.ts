// How the file of each source becomes its value. What cannot be used is left out, and the reading then says that it is not whole.
import {firstLine} from '../../base/errors.ts'
import {type DiskEntry, parseDiskEntry} from '../disk.ts'
import {listItems} from '../kube-list.ts'
import {parseKubeletLog} from '../kubelet-log.ts'
import {parseMetrics} from '../metrics.ts'
import {parseMountinfo} from '../mountinfo.ts'
import {parsePods} from '../pod.ts'
import {parseEvents} from '../pod-event.ts'
import {type Read, read} from '../reading.ts'
import type {SourceName, Sources} from '../snapshot.ts'
import {parseContainerLook} from './container-looks.ts'
import {parseContainers, parseSandboxes} from './crictl.ts'
import {parseJsonLines} from './json-lines.ts'
import {
  parseBlockDevice,
  parseBoot,
  parseContainerProcess,
  parseDriverSocket,
  parseHealthz,
  parseMountLook,
  parseNodeStatus,
  parseRegistration,
  parseTakeover,
} from './own-records.ts'
import {parseRuntimeAnswers} from './runtime-answers.ts'
import {parseVolDataLine} from './vol-data-line.ts'

interface Context {
  /** Milliseconds since 1970. */
  readonly when: number
}

type Decoders = {readonly [Name in SourceName]: (text: string, context: Context) => Read<Sources[Name]>}

/** Each throws an Error, one sentence, when nothing of the file can be used. */
export const decoders: Decoders = {
  'runtime.sandboxes': (text) => counted(parseSandboxes(parseJson(text))),
  'runtime.containers': (text) => counted(parseContainers(parseJson(text))),
  'runtime.container-status': (text) => counted(parseJsonLines(text, parseContainerLook)),
  'runtime.answers': (text) => read(parseRuntimeAnswers(parseJson(text))),
  'kubelet.pods': decodePods,
  'kubelet.metrics': (text) => {
    const samples = parseMetrics(text)
    if (samples.length === 0) throw new Error('Cannot read it as it must have a sample at least: it has none')
    return read(samples)
  },
  'kubelet.log': decodeLog,
  'disk.entries': decodeEntries,
  'disk.vol-data': (text) => counted(parseJsonLines(text, parseVolDataLine)),
  'kernel.mounts': (text) => {
    const values = parseMountinfo(text)
    // Even a container has a root.
    if (values.length === 0) throw new Error('Cannot read it as it must have a mount at least: it has none')
    return counted({values, skipped: text.split('\n').filter((line) => line.trim() !== '').length - values.length})
  },
  'kubelet.runningpods': decodePods,
  'kubelet.healthz': (text) => read(parseHealthz(parseJson(text))),
  'disk.mounts': (text) => counted(parseJsonLines(text, parseMountLook)),
  'csi.registrations': (text) => counted(parseJsonLines(text, parseRegistration)),
  'csi.drivers': (text) => counted(parseJsonLines(text, parseDriverSocket)),
  'kernel.devices': (text) => counted(parseJsonLines(text, parseBlockDevice)),
  'kernel.boot': (text) => read(parseBoot(parseJson(text))),
  processes: (text) => counted(parseJsonLines(text, parseContainerProcess)),
  takeovers: (text) => counted(parseJsonLines(text, parseTakeover)),
  'api.node': (text) => read(parseNodeStatus(parseJson(text))),
  'api.pods': decodePods,
  'api.events': (text) => read(parseEvents(parseJson(text))),
}

/** Where anything was listed, the root itself was. */
function decodeEntries(text: string): Read<Sources['disk.entries']> {
  const reading = counted<DiskEntry>(parseJsonLines(text, parseDiskEntry))
  if (reading.value.length === 0) throw new Error('Cannot read it as it must list the root at least: it is empty')
  return reading
}

function decodeLog(text: string, {when}: Context): Read<Sources['kubelet.log']> {
  const lines = parseKubeletLog(text, {near: when})
  if (lines.length === 0)
    throw new Error(`Cannot read it as its lines must be those of klog: ${text.trim() === '' ? 'it is empty' : 'not one of them is'}`)
  return read(lines)
}

function decodePods(text: string): Read<Sources['kubelet.pods']> {
  const document = parseJson(text)
  const values = parsePods(document)
  return counted({values, skipped: listItems(document, 'Pod').length - values.length})
}

function counted<T>({values, skipped}: {readonly values: readonly T[]; readonly skipped: number}): Read<readonly T[]> {
  return read(values, skipped === 0 ? undefined : `${skipped} of ${values.length + skipped} entries cannot be read`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const why = text.trim() === '' ? 'it is empty' : text.trimStart().startsWith('<') ? 'it is HTML or XML' : firstLine(error)
    throw new Error(`Cannot read it as it must be JSON: ${why}`)
  }
}
