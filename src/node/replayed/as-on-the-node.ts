// What was read of a replay, and from its bundle what neither a folder nor a socket gives back: what a look at a mount gave, numbers of devices, nodes of
// devices, how long a call took, and what had not been seen on the node itself. All else stays as it was read: who takes a file or a server away from a
// replay finds it gone.
import type {DiskEntry} from '../disk.ts'
import type {Reading} from '../reading.ts'
import type {CallOutcome, RuntimeAnswers} from '../runtime/answers.ts'
import type {ContainerLook} from '../runtime/container-look.ts'
import {type Readings, type Snapshot, type SourceName, sourceNames} from '../snapshot.ts'
import {notRecordedWords} from './replay-note.ts'

/** Whether a path below the kubelet's root is still there. */
export type IsThere = (path: string) => boolean

export function asOnTheNode(seen: Snapshot, bundle: Snapshot, name: string, isThere: IsThere): Snapshot {
  const readings = Object.fromEntries(
    sourceNames.map((source) => [source, mended(source, seen.readings[source], bundle.readings[source], isThere)]),
  ) as unknown as Readings
  return {...bundle, replayOf: name, readings}
}

function mended(source: SourceName, seen: Reading<unknown>, was: Reading<unknown>, isThere: IsThere): Reading<unknown> {
  if (was.state !== 'read') return was
  if (seen.state !== 'read') return seen
  const mend = menders[source] as ((seen: unknown, was: unknown, isThere: IsThere) => unknown) | undefined
  const incomplete = was.incomplete ?? seen.incomplete
  return {
    state: 'read',
    value: mend === undefined ? seen.value : mend(seen.value, was.value, isThere),
    ...(incomplete !== undefined && {incomplete}),
    ...(seen.raw !== undefined && {raw: seen.raw}),
  }
}

type Value<Name extends SourceName> = Extract<Readings[Name], {readonly state: 'read'}>['value']
type Menders = {readonly [Name in SourceName]?: (seen: Value<Name>, was: Value<Name>, isThere: IsThere) => Value<Name>}

const menders: Menders = {
  'disk.mounts': (_, was) => was,
  'disk.entries': entries,
  'disk.vol-data': (seen, was) => {
    const found = new Map(seen.map((each) => [each.path, each]))
    return was.flatMap((each) => ('unreadable' in each.data ? each : (found.get(each.path) ?? [])))
  },
  'csi.registrations': sockets,
  'csi.drivers': sockets,
  'runtime.answers': answers,
  'runtime.container-status': (seen, was) => {
    const before = new Map(was.map((look) => [look.id, look]))
    return seen.map((look) => sameLook(look, before.get(look.id)))
  },
  takeovers: (seen, was) => was.filter(({path}) => seen.some((each) => each.path === path)),
}

/** Nodes of devices and the like cannot be made by everybody, and would be those of this machine. */
function isMade({type, target}: DiskEntry): boolean {
  return type === 'file' || type === 'directory' || (type === 'link' && target !== undefined)
}

function entries(seen: Value<'disk.entries'>, was: Value<'disk.entries'>, isThere: IsThere): Value<'disk.entries'> {
  const found = new Map(seen.map((entry) => [entry.path, entry]))
  const known = new Set(was.map(({path}) => path))
  // A walk does not go everywhere: what it did not meet may be there.
  const kept = was.filter((entry) => !isMade(entry) || found.has(entry.path) || isThere(entry.path))
  return [...kept, ...seen.filter(({path, type}) => !known.has(path) && type !== 'socket')]
}

/** Of one that answered, what it answers; of the others, what became of them on the node. */
function sockets<T extends {readonly socket: string; readonly answer: {readonly state: string}}>(
  seen: readonly T[],
  was: readonly T[],
): readonly T[] {
  const found = new Map(seen.map((each) => [each.socket, each]))
  return was.flatMap((each) => (each.answer.state === 'answers' ? (found.get(each.socket) ?? []) : each))
}

/** How long an answer took is the node's own, and so is the name by which the socket was found. */
function answers(seen: RuntimeAnswers, was: RuntimeAnswers): RuntimeAnswers {
  const before = new Map(was.calls.map((call) => [call.method, call]))
  const {endpoint, source, told} = was
  return {
    ...seen,
    endpoint,
    source,
    told,
    calls: seen.calls.map((call) => {
      const then = before.get(call.method)
      return then !== undefined && (then.outcome.state === call.outcome.state || isUnrecorded(call.outcome)) ? then : call
    }),
  }
}

/** That the bundle has no answer is nothing that the node did. */
function isUnrecorded(outcome: CallOutcome): boolean {
  return outcome.state === 'failed' && outcome.why.includes(notRecordedWords)
}

/** Its process is one of the node. */
function sameLook(look: ContainerLook, was: ContainerLook | undefined): ContainerLook {
  if (was === undefined) return look
  if (isUnrecorded(look.outcome)) return was
  if (was.outcome.state !== look.outcome.state) return look
  if (look.status === undefined || was.status === undefined) return was
  return look.status.state === was.status.state ? was : look
}
