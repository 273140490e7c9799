// Lists as crictl writes them for programs: protobuf's JSON with every default in it (EmitDefaultValues), or the same as YAML.
import {create, toJson} from '@bufbuild/protobuf'
import {type Container, ListContainersResponseSchema, ListPodSandboxResponseSchema, type PodSandbox} from '../wire/gen/cri_pb.ts'
import {escapedJson} from './escaped.ts'
import {yaml} from './yaml.ts'

export type DataFormat = 'json' | 'yaml'

const options = {alwaysEmitImplicit: true}

export function sandboxData(items: readonly PodSandbox[], format: DataFormat): string {
  return text(toJson(ListPodSandboxResponseSchema, create(ListPodSandboxResponseSchema, {items: [...items]}), options), format)
}

export function containerData(containers: readonly Container[], format: DataFormat): string {
  return text(toJson(ListContainersResponseSchema, create(ListContainersResponseSchema, {containers: [...containers]}), options), format)
}

function text(json: ReturnType<typeof toJson>, format: DataFormat): string {
  return format === 'yaml' ? yaml(json) : `${escapedJson(JSON.stringify(json, null, 2))}\n`
}
