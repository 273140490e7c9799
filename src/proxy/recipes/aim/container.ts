// The container that somebody names, by its name or by the first digits of its id: calls about it have the id.
import {UserError} from '../../../base/errors.ts'
import {exitCodes} from '../../../base/exit-codes.ts'
import {known} from '../../../node/reading.ts'
import {shortId} from '../../../node/short-id.ts'
import type {Snapshot} from '../../../node/snapshot.ts'
import {type Container, ContainerState} from '../../../wire/gen/cri_pb.ts'
import {type Namespaced, slashed} from '../asked.ts'
import {thereAre} from './listed-words.ts'
import {whyUnknown} from './why-unknown.ts'

export interface FoundContainer {
  readonly id: string
  /** 'main of default/web-0' */
  readonly words: string
  readonly name: string
  /** 'namespace/name' */
  readonly pod: string
}

/** @throws UserError */
export function findContainer(word: string, pod: Namespaced | undefined, {readings}: Snapshot): FoundContainer {
  const reading = readings['runtime.containers']
  const all = (known(reading) ?? []).filter((each) => pod === undefined || podOf(each) === slashed(pod))
  const named = ofThisName(word, all)
  const [only, ...others] = named
  if (only !== undefined && others.length === 0) {
    const name = nameOf(only)
    const words = `The container ${name} of ${podOf(only)} has the id ${shortId(only.id)}, as the container runtime says.`
    return {id: only.id, words, name, pod: podOf(only)}
  }
  if (only !== undefined) {
    throw new UserError(
      `Cannot tell which container is meant as there must be one '${word}': there are ${named.map(words).join(' and ')}`,
      {
        hint: `name its id, or its pod with --pod ${podOf(only)}`,
      },
    )
  }
  const why = whyUnknown(reading)
  if (why !== undefined) {
    throw new UserError(`Cannot find the container '${word}' as those of the container runtime must be known: ${why}`, {
      exit: exitCodes.blind,
    })
  }
  const where = pod === undefined ? 'of this node' : `of ${slashed(pod)}`
  throw new UserError(`Cannot find the container as it must be one ${where}: there is no '${word}'`, {
    hint: thereAre('containers', all.filter(runs).map(words)),
  })
}

/** Of one name in one pod the one that runs, else the newest: the others are its earlier attempts. */
function ofThisName(word: string, all: readonly Container[]): readonly Container[] {
  const byId = word.length < 4 ? [] : all.filter(({id}) => id.startsWith(word))
  if (byId.length > 0) return byId
  const byPod = Map.groupBy(
    all.filter((each) => nameOf(each) === word),
    podOf,
  )
  return [...byPod.values()].flatMap((attempts) => attempts.toSorted(runningAndNewestFirst).slice(0, 1))
}

function runningAndNewestFirst(a: Container, b: Container): number {
  if (runs(a) !== runs(b)) return runs(a) ? -1 : 1
  return (b.metadata?.attempt ?? 0) - (a.metadata?.attempt ?? 0)
}

const runs = ({state}: Container): boolean => state === ContainerState.CONTAINER_RUNNING
const nameOf = ({metadata}: Container): string => metadata?.name ?? ''
const podOf = ({labels}: Container): string => `${labels['io.kubernetes.pod.namespace'] ?? ''}/${labels['io.kubernetes.pod.name'] ?? ''}`
const words = (container: Container): string => `${nameOf(container)} (${shortId(container.id)}) of ${podOf(container)}`
