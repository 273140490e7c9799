// What failed once has failed: an exit code that is not 0 stays so, for this life of the container.
import type {SeenContainer} from '../../../timeline/seen-pod.ts'
import type {Breach, Invariant} from '../invariant.ts'
import {containersSeen, plainId} from '../pod-lives.ts'

interface Failure {
  readonly exitCode: number
  readonly id: string | undefined
  readonly restartCount: number
}

export const failureForgotten: Invariant = {
  name: 'failure-forgotten',
  says: 'an exit code other than 0 never becomes 0 for the same life of a container',
  check: ({seen: all}) => {
    const failures = new Map<string, Failure>()
    const breaches = new Map<string, Breach>()
    for (const seen of all) {
      for (const container of containersSeen(seen)) {
        const {name, state, restartCount} = container
        if (state.terminated === undefined) continue
        const {exitCode} = state.terminated
        const id = idOf(container)
        const failure = failures.get(name)
        if (exitCode !== 0) failures.set(name, {exitCode, id, restartCount})
        else if (failure !== undefined && isSame(failure, id, restartCount) && !breaches.has(name)) {
          const what = `container ${name} is told to have ended with ${failure.exitCode} and then with 0`
          breaches.set(name, {how: 'the code becomes 0', at: seen.event.at, container: name, what})
        }
      }
    }
    return [...breaches.values()]
  },
}

const idOf = ({state, containerID}: SeenContainer): string | undefined => plainId(state.terminated?.containerID ?? containerID)

/** A restarted container has another id; one whose id is not told has at least a higher count. */
const isSame = (failure: Failure, id: string | undefined, restartCount: number): boolean =>
  id === undefined || failure.id === undefined ? failure.restartCount === restartCount : failure.id === id
