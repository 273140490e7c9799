// What an event says of a call's request.
import type {MatchedCall} from '../../../faults/rule.ts'
import type {TracedCall} from '../traced-call.ts'
import {shownText} from './shown-text.ts'

type Shown = Pick<TracedCall, 'pod' | 'podUid' | 'container' | 'volume' | 'pvc' | 'request'>

/** Scalars of the first rank that have a value; of a request without any an empty map, so that it can be told from one that nobody read. */
export function shownRequest({pod, podUid, container, pvc, request}: MatchedCall): Shown {
  const volume = request.volumeId
  const scalars = Object.entries(request).filter(([, value]) => typeof value !== 'object' && value !== '' && value !== 0 && value !== false)
  return {
    ...(pod === undefined ? {} : {pod}),
    ...(podUid === undefined ? {} : {podUid}),
    ...(container === undefined ? {} : {container}),
    ...(typeof volume === 'string' && volume !== '' ? {volume: shownText(volume)} : {}),
    ...(pvc === undefined ? {} : {pvc}),
    request: Object.fromEntries(scalars.map(([name, value]) => [name, typeof value === 'string' ? shownText(value) : value])),
  }
}
