// What a timeline shows of a violation, as expectations of a scenario file: that it is there, and that it is not.
import type {ObjectEvent} from '../../../timeline/event.ts'
import {seenPod} from '../../../timeline/seen-pod.ts'
import type {Run, Violation} from '../invariant.ts'

type Plain = Readonly<Record<string, unknown>>

export interface ViolationShown {
  readonly there: readonly Plain[]
  readonly absent: readonly Plain[]
}

export function expectationsOf(violation: Violation, run: Run, start: number): ViolationShown {
  const pod = violation.pod.replace(/^default\//, '')
  const {container = ''} = violation
  const watch = (seen: Plain): Plain => ({watch: 'any', pod, ...seen})
  const of = (state: Plain): Plain => watch({containers: {[container]: state}})
  const seconds = (at: number): string => `${(at - start) / 1000}s`
  switch (violation.invariant) {
    case 'success-made-up':
      return {
        there: [{eventually: of({exitCode: 0})}, ...neverRecorded(violation, run, pod)],
        absent: [{never: of({exitCode: 0}), ...untilRecorded(violation, run, pod)}],
      }
    case 'failure-forgotten': {
      const exitCode = failureBefore(violation, run)
      const order = [of({exitCode}), of({exitCode: 0})]
      return {there: [{ordered: order}], absent: [{never: order[1] as Plain, since: order[0] as Plain}]}
    }
    case 'end-undone': {
      const [before, after] = violation.how.split(', then ')
      const order = [watch({phase: before}), watch({phase: after})]
      return {there: [{ordered: order}], absent: [{never: order[1] as Plain, since: order[0] as Plain}]}
    }
    case 'end-of-running':
      return {
        there: [{eventually: of({state: 'terminated'}), within: seconds(violation.at)}],
        absent: [{never: of({state: 'terminated'}), until: seconds(violation.at)}],
      }
    case 'removed-while-running':
      return {
        there: [{eventually: {call: 'DELETE pod', pod}, within: seconds(violation.at)}],
        absent: [{never: {call: 'DELETE pod', pod}, until: seconds(violation.at)}],
      }
    default:
      return {
        there: [{never: {watch: 'DELETED', pod}, until: seconds(violation.at)}],
        absent: [{eventually: {watch: 'DELETED', pod}, within: seconds(violation.at)}],
      }
  }
}

/** Nothing to add when a later life of the container did end with 0. */
function neverRecorded({pod: key, container}: Violation, {events}: Run, pod: string): readonly Plain[] {
  const recorded = events.some(
    (event) => event.kind === 'container' && event.pod === key && event.container === container && event.exitCode === 0,
  )
  return recorded ? [] : [{never: {runtime: 'exited', pod, container, exitCode: 0}}]
}

const untilRecorded = (violation: Violation, run: Run, pod: string): Plain =>
  neverRecorded(violation, run, pod).length > 0 ? {} : {until: {runtime: 'exited', pod, container: violation.container, exitCode: 0}}

function failureBefore({pod, container, at}: Violation, {events}: Run): number {
  const codes = events
    .filter((event): event is ObjectEvent => event.kind === 'object' && event.pod === pod && event.at <= at)
    .map((event) => seenPod(event).status.containerStatuses.find(({name}) => name === container)?.state.terminated?.exitCode ?? 0)
  return codes.findLast((code) => code !== 0) ?? 1
}
