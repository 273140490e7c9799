// A v1 PersistentVolumeClaim and a v1 PersistentVolume as the API server gives them.
import type {Claim, PersistentVolume, VolumeMode} from '../claim.ts'
import {type Fields, fieldsOf, onlySet, textOf} from '../kube-list.ts'

/** @throws Error, one sentence, when the document is none. */
export function parseClaim(text: string): Claim {
  const {namespace, name, spec, status} = objectOf(text, 'PersistentVolumeClaim')
  return onlySet<Claim>({
    namespace: namespace ?? '',
    name,
    phase: textOf(status?.phase),
    volume: textOf(spec?.volumeName),
    mode: modeOf(spec),
  })
}

/** @throws Error, one sentence, when the document is none. */
export function parsePersistentVolume(text: string): PersistentVolume {
  const {name, spec} = objectOf(text, 'PersistentVolume')
  const kind = Object.keys(spec ?? {}).find((key) => !besides.includes(key) && fieldsOf(spec?.[key]) !== undefined) ?? 'unknown'
  const csi = fieldsOf(spec?.csi)
  return onlySet<PersistentVolume>({
    name,
    kind,
    driver: textOf(csi?.driver),
    handle: textOf(csi?.volumeHandle),
    mode: modeOf(spec),
  })
}

/** What its spec has beside its source and is an object, too. */
const besides: readonly string[] = ['capacity', 'claimRef', 'nodeAffinity']

const modeOf = (spec: Fields | undefined): VolumeMode => (spec?.volumeMode === 'Block' ? 'block' : 'filesystem')

interface ApiObject {
  readonly namespace: string | undefined
  readonly name: string
  readonly spec: Fields | undefined
  readonly status: Fields | undefined
}

function objectOf(text: string, kind: string): ApiObject {
  const expected = `Cannot read it as it must be a v1 ${kind}`
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    throw new Error(`${expected}: it is ${text.trimStart().startsWith('<') ? 'HTML or XML' : 'no JSON'}`)
  }
  const object = fieldsOf(document)
  const metadata = fieldsOf(object?.metadata)
  const name = textOf(metadata?.name)
  if (name === undefined || (object?.kind !== undefined && object.kind !== kind)) throw new Error(`${expected} with a name: it is none`)
  return {namespace: textOf(metadata?.namespace), name, spec: fieldsOf(object?.spec), status: fieldsOf(object?.status)}
}
