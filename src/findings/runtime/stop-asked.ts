// Since when a container should stop, whoever has its pod: the kubelet says whom it kills, and at its usual verbosity little else.
import {formatInstant} from '../../base/instant.ts'
import {known} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import type {Container} from '../../wire/gen/cri_pb.ts'
import type {Evidence} from '../finding.ts'
import {containerName, labelledUid} from './kubelets-own.ts'
import {plausibleMoment} from './runtime-moments.ts'

export interface StopAsked {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly evidence: Evidence
}

// kuberuntime_container.go, old and new words; the failures are logged at any verbosity.
const killing = ['Killing container', 'Kill container failed', 'termination failed']

export function stopAsked(snapshot: Snapshot, container: Container): StopAsked | undefined {
  const told = [fromLog(snapshot, container), fromEvents(snapshot, container)].flatMap((each) => each ?? [])
  return told.toSorted((a, b) => a.at - b.at)[0]
}

function fromLog({readings, when}: Snapshot, {id}: Container): StopAsked | undefined {
  for (const {at, message, fields} of known(readings['kubelet.log']) ?? []) {
    if (at === undefined || at > when || !killing.some((words) => message.includes(words))) continue
    if (message.includes(id) || fields.containerID?.includes(id))
      return {at, evidence: {source: 'kubelet.log', fact: `at ${formatInstant(at)}: ${message} (${id})`}}
  }
  return undefined
}

/** By its last occurrence: an earlier one may be about the container before it. */
function fromEvents({readings, when}: Snapshot, container: Container): StopAsked | undefined {
  const born = plausibleMoment(container.createdAt, when)
  const uid = labelledUid(container)
  const words = ['Stopping', 'container', containerName(container)]
  for (const event of known(readings['api.events']) ?? []) {
    const {lastAt: at, message} = event
    if (event.uid !== uid || event.reason !== 'Killing' || at === undefined || born === undefined || at < born || at > when) continue
    if (words.every((word, index) => message.split(' ')[index] === word))
      return {at, evidence: {source: 'api.events', fact: `at ${formatInstant(at)}: ${message}`}}
  }
  return undefined
}
