// Lists as crictl writes them for programs: protobuf's JSON with every default in it (EmitDefaultValues), or the same as YAML.
import {create, type JsonValue, toJson} from '@bufbuild/protobuf'
import {type Container, ListContainersResponseSchema, ListPodSandboxResponseSchema, type PodSandbox} from '../wire/gen/cri_pb.ts'
import {type DataFormat, dataText} from './data.ts'

const options = {alwaysEmitImplicit: true}

export function sandboxData(items: readonly PodSandbox[], format: DataFormat): Promise<string> {
  return text(toJson(ListPodSandboxResponseSchema, create(ListPodSandboxResponseSchema, {items: [...items]}), options), format)
}

export function containerData(containers: readonly Container[], format: DataFormat): Promise<string> {
  return text(toJson(ListContainersResponseSchema, create(ListContainersResponseSchema, {containers: [...containers]}), options), format)
}

function text(json: JsonValue, format: DataFormat): Promise<string> {
  return dataText(sortedMaps(json), format)
}

/** Go sends a map in another order each time; crictl sorts it, so that the same state gives the same text. */
function sortedMaps(json: JsonValue): JsonValue {
  if (Array.isArray(json)) return json.map(sortedMaps)
  if (typeof json !== 'object' || json === null) return json
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) => [key, key === 'labels' || key === 'annotations' ? sortedKeys(value) : sortedMaps(value)]),
  )
}

function sortedKeys(map: JsonValue): JsonValue {
  return typeof map === 'object' && map !== null ? Object.fromEntries(Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1))) : map
}
