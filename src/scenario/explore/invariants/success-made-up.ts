// Exit code 0 in the API needs a record of the runtime that the container ended so.
import type {Breach, Invariant} from '../invariant.ts'
import {type ContainerLife, containersSeen, type PodLife, plainId, runs} from '../pod-lives.ts'

export const successMadeUp: Invariant = {
  name: 'success-made-up',
  says: 'the API tells exit code 0 only of a container that the runtime recorded as ended with 0',
  check: (life) => {
    const breaches = new Map<string, Breach>()
    for (const seen of life.seen) {
      for (const {name, state, lastState} of containersSeen(seen)) {
        if (breaches.has(name)) continue
        const isMadeUp = (each: typeof lastState) => each?.terminated?.exitCode === 0 && !recorded(life, name, each.terminated, seen.place)
        const ofLastState = !isMadeUp(state)
        if (ofLastState && !isMadeUp(lastState)) continue
        const how = howItIs(life, name, seen.place)
        const what = `container ${name} is told to have ended with 0 ${how}`
        breaches.set(name, {how, at: seen.event.at, container: name, ofLastState, what})
      }
    }
    return [...breaches.values()]
  },
}

const ofName = ({containers}: PodLife, name: string): readonly ContainerLife[] => containers.filter((each) => each.name === name)

function recorded(life: PodLife, name: string, {containerID}: {readonly containerID?: string}, place: number): boolean {
  const id = plainId(containerID)
  return ofName(life, name).some(
    ({id: its, ended, exitCode}) => ended !== undefined && ended <= place && exitCode === 0 && (id === undefined || id === its),
  )
}

function howItIs(life: PodLife, name: string, place: number): string {
  const known = ofName(life, name)
  if (known.some((each) => runs(each, place))) return 'while it runs'
  const ended = known.findLast(({ended = Number.POSITIVE_INFINITY}) => ended <= place)
  if (ended === undefined) return 'and it never ran'
  return ended.started === undefined ? 'and it could not start' : 'and it ended otherwise'
}
