// A pod that has Failed or Succeeded stays so.
import {seenPod} from '../../../timeline/seen-pod.ts'
import type {Invariant} from '../invariant.ts'

export const endUndone: Invariant = {
  name: 'end-undone',
  says: 'no phase follows Failed or Succeeded',
  check: ({seen: all}) => {
    let before: string | undefined
    for (const {event} of all) {
      const {phase} = seenPod(event).status
      if ((before === 'Failed' || before === 'Succeeded') && phase !== before) {
        return [{how: `${before}, then ${phase}`, at: event.at, what: `the phase is ${before} and then ${phase}`}]
      }
      before = phase
    }
    return []
  },
}
