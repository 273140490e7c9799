// Names in the runtime's lists. A kubelet asks for them each second, so only entries that are new are decoded.
import {fromBinary} from '@bufbuild/protobuf'
import {BinaryReader, WireType} from '@bufbuild/protobuf/wire'
import {ContainerSchema, PodSandboxSchema} from '../../../wire/gen/cri_pb.ts'
import type {NameIndex} from './name-index.ts'

export function learnSandboxes(answer: Uint8Array, names: NameIndex): void {
  for (const {id, bytes} of entries(answer)) {
    if (names.knowsSandbox(id)) continue
    const {metadata} = fromBinary(PodSandboxSchema, bytes)
    if (metadata !== undefined) names.addSandbox(id, metadata)
  }
}

export function learnContainers(answer: Uint8Array, names: NameIndex): void {
  for (const {id, bytes} of entries(answer)) {
    if (names.knowsContainer(id)) continue
    const {metadata, podSandboxId} = fromBinary(ContainerSchema, bytes)
    if (metadata !== undefined) names.addContainer(id, {name: metadata.name, sandboxId: podSandboxId})
  }
}

/** Of a list the entries are field 1, and of an entry the id is. */
function* entries(list: Uint8Array): Generator<{readonly id: string; readonly bytes: Uint8Array}> {
  for (const bytes of firstFields(list)) {
    const [id] = firstFields(bytes)
    if (id !== undefined) yield {id: Buffer.from(id.buffer, id.byteOffset, id.length).toString(), bytes}
  }
}

function* firstFields(message: Uint8Array): Generator<Uint8Array> {
  const reader = new BinaryReader(message)
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag()
    if (number === 1 && type === WireType.LengthDelimited) yield reader.bytes()
    else reader.skip(type, number)
  }
}
