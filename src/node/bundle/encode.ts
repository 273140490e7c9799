// How each source goes into a bundle: decode.ts makes the same of it again. Raw replies stay raw, but for what is redacted.
import {create, type JsonValue, toJson} from '@bufbuild/protobuf'
import {formatInstant} from '../../base/instant.ts'
import {type Container, ListContainersResponseSchema, ListPodSandboxResponseSchema, type PodSandbox} from '../../wire/gen/cri_pb.ts'
import type {DiskEntry} from '../disk.ts'
import type {Read} from '../reading.ts'
import type {SourceName, Sources} from '../snapshot.ts'
import type {VolDataFile} from '../vol-data.ts'
import {containerLookLine} from './container-looks.ts'

interface Encoder<Name extends SourceName> {
  readonly file: string
  /** Undefined when the reply was not kept. */
  text(reading: Read<Sources[Name]>): string | undefined
}

const raw = (file: string) => ({file, text: (reading: Read<unknown>) => reading.raw})
const lines = (file: string) => ({file, text: ({value}: Read<readonly unknown[]>) => jsonLines(value)})
const record = (file: string) => ({file, text: ({value}: Read<unknown>) => `${JSON.stringify(value, null, 2)}\n`})

export const encoders: {readonly [Name in SourceName]: Encoder<Name>} = {
  'runtime.sandboxes': {file: 'runtime/sandboxes.json', text: ({value}) => json(sandboxList(value))},
  'runtime.containers': {file: 'runtime/containers.json', text: ({value}) => json(containerList(value))},
  'runtime.container-status': {file: 'runtime/container-status.jsonl', text: ({value}) => jsonLines(value.map(containerLookLine))},
  'runtime.answers': record('runtime/answers.json'),
  'kubelet.pods': raw('kubelet/pods.json'),
  'kubelet.runningpods': raw('kubelet/runningpods.json'),
  'kubelet.healthz': record('kubelet/healthz.json'),
  'kubelet.metrics': raw('kubelet/metrics.txt'),
  'kubelet.log': raw('kubelet/log.txt'),
  'disk.entries': {file: 'disk/entries.jsonl', text: ({value}) => jsonLines(value.map(entryLine))},
  'disk.vol-data': {file: 'disk/vol-data.jsonl', text: ({value}) => jsonLines(value.map(volDataLine))},
  'disk.mounts': lines('disk/mounts.jsonl'),
  'csi.registrations': lines('csi/registrations.jsonl'),
  'csi.drivers': lines('csi/drivers.jsonl'),
  'kernel.mounts': raw('kernel/mountinfo'),
  'kernel.devices': lines('kernel/devices.jsonl'),
  'kernel.boot': record('kernel/boot.json'),
  processes: lines('kernel/processes.jsonl'),
  takeovers: lines('takeovers.jsonl'),
  'api.pods': raw('api/pods.json'),
  'api.events': raw('api/events.json'),
  'api.node': record('api/node.json'),
}

const emitDefaults = {alwaysEmitImplicit: true}

function sandboxList(items: readonly PodSandbox[]): JsonValue {
  return toJson(ListPodSandboxResponseSchema, create(ListPodSandboxResponseSchema, {items: [...items]}), emitDefaults)
}

function containerList(containers: readonly Container[]): JsonValue {
  return toJson(ListContainersResponseSchema, create(ListContainersResponseSchema, {containers: [...containers]}), emitDefaults)
}

function entryLine({mode, modifiedAt, content, ...entry}: DiskEntry): object {
  return {
    ...entry,
    mode: mode.toString(8),
    ...instant({modifiedAt}),
    ...(content && {content: {...content, ...instant({newestAt: content.newestAt})}}),
  }
}

function instant(fields: Readonly<Record<string, number | undefined>>): object {
  return Object.fromEntries(Object.entries(fields).flatMap(([name, ms]) => (ms === undefined ? [] : [[name, formatInstant(ms)]])))
}

function volDataLine({path, data}: VolDataFile): object {
  return 'unreadable' in data ? {path, unreadable: data.unreadable} : {path, content: JSON.stringify(data)}
}

function json(value: JsonValue): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

function jsonLines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('')
}
