// What a timeline shows of a violation, as expectations of a scenario file: that it is there, and that it is not. Several ways to say it, the best first:
// which of them holds depends on how a kubelet went on.
import type {ObjectEvent} from '../../../timeline/event.ts'
import {seenPod} from '../../../timeline/seen-pod.ts'
import type {Run, Violation} from '../invariant.ts'
import type {Claims, Plain} from './claims.ts'
import {claimsOfVolume} from './volume-expectations.ts'

/** @param run the one that broke it */
export function claimsOf(violation: Violation, run: Run, start: number): Claims {
  if (violation.volume !== undefined) return claimsOfVolume(violation, violation.volume)
  const pod = (violation.pod ?? '').replace(/^default\//, '')
  const {container = '', ofLastState = false} = violation
  const watch = (seen: Plain): Plain => ({watch: 'any', pod, ...seen})
  const of = (state: Plain): Plain => watch({containers: {[container]: state}})
  const ended = (more: Plain = {}): Plain => ({runtime: 'exited', pod, container, ...more})
  switch (violation.invariant) {
    case 'success-made-up': {
      const told = of(ofLastState ? {lastExitCode: 0} : {exitCode: 0})
      const recorded = ended({exitCode: 0})
      return {
        there: [[{eventually: told}, {never: recorded}], [{ordered: [told, recorded]}], [{eventually: told}]],
        absent: [[{never: told}], [{ordered: [recorded, told]}], [{eventually: recorded}]],
      }
    }
    case 'failure-forgotten': {
      const exitCode = failureBefore(violation, run)
      return inOrder(of({exitCode}), of({exitCode: 0}))
    }
    case 'end-undone': {
      const [before, after] = violation.how.split(', then ')
      return inOrder(watch({phase: before}), watch({phase: after}))
    }
    case 'end-of-running':
      return tooEarly(of({state: 'terminated'}), ended())
    case 'removed-while-running':
      return tooEarly({call: 'DELETE pod', pod}, ended())
    default: {
      const gone: Plain = {watch: 'DELETED', pod}
      const until = `${Math.ceil((violation.at - start) / 1000)}s`
      return {there: [[{never: gone, until}]], absent: [[{eventually: gone, within: until}]]}
    }
  }
}

/** One after the other; sound is a kubelet that never comes to the first, or not from it to the second. */
function inOrder(first: Plain, second: Plain): Claims {
  return {there: [[{ordered: [first, second]}]], absent: [[{never: second, since: first}], [{never: first}]]}
}

function tooEarly(told: Plain, ended: Plain): Claims {
  return {
    there: [[{ordered: [told, ended]}], [{eventually: told}, {never: ended}]],
    absent: [[{never: told, until: ended}], [{never: told}], [{ordered: [ended, told]}]],
  }
}

function failureBefore({pod, container, at}: Violation, {events}: Run): number {
  const codes = events
    .filter((event): event is ObjectEvent => event.kind === 'object' && event.pod === pod && event.at <= at)
    .map((event) => seenPod(event).status.containerStatuses.find(({name}) => name === container)?.state.terminated?.exitCode ?? 0)
  return codes.findLast((code) => code !== 0) ?? 1
}
