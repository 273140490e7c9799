// The lists of `crictl pods -o json` and `crictl ps -a -o json`: the JSON form of the runtime's own messages.
import {type DescMessage, fromJson, type JsonValue, type MessageShape} from '@bufbuild/protobuf'
import type {Container, PodSandbox} from '../../wire/gen/cri_pb.ts'
import {ContainerSchema, ContainerState, PodSandboxSchema, PodSandboxState} from '../../wire/gen/cri_pb.ts'
import {type Fields, fieldsOf} from '../kube-list.ts'

/** A state of a runtime newer than we are: none of the known ones, so that nothing takes it for READY, which is 0. */
const strangeState = -1

interface List<T> {
  readonly values: readonly T[]
  readonly skipped: number
}

/** @throws Error when the document is no such list. */
export function parseSandboxes(json: unknown): List<PodSandbox> {
  return parseList(json, 'items', PodSandboxSchema, (state) => (Object.hasOwn(PodSandboxState, state) ? state : strangeState))
}

/** @throws Error when the document is no such list. */
export function parseContainers(json: unknown): List<Container> {
  return parseList(json, 'containers', ContainerSchema, (state) => (Object.hasOwn(ContainerState, state) ? state : strangeState))
}

function parseList<Desc extends DescMessage>(
  json: unknown,
  key: string,
  schema: Desc,
  readState: (state: string) => JsonValue,
): List<MessageShape<Desc>> {
  const list = fieldsOf(json)
  const items = list?.[key] ?? []
  if (list === undefined || !Array.isArray(items))
    throw new Error(`Cannot read it as it must be an object with a list '${key}', as crictl prints it: it is not`)
  const values = items.flatMap((item) => parseItem(fieldsOf(item), schema, readState) ?? [])
  return {values, skipped: items.length - values.length}
}

function parseItem<Desc extends DescMessage>(
  item: Fields | undefined,
  schema: Desc,
  readState: (state: string) => JsonValue,
): MessageShape<Desc> | undefined {
  if (item === undefined) return undefined
  const {state, createdAt} = item
  const known = {
    ...item,
    ...(typeof state === 'string' && {state: readState(state)}),
    // A JSON tool in between may have made a rounded number of it.
    ...(typeof createdAt === 'number' && Number.isFinite(createdAt) && {createdAt: BigInt(Math.trunc(createdAt)).toString()}),
  } as JsonValue
  try {
    return fromJson(schema, known, {ignoreUnknownFields: true})
  } catch {
    return undefined
  }
}
