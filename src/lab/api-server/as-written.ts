// What a client wrote beyond the fields that the model has, carried along with the model's object: by a symbol, so that no record shows it and no copy loses it.

import type {Pod, PodStatus} from '../../kubelet/pod.ts'
import type {JsonObject} from '../api/json.ts'

const written = Symbol('as written')
const late = Symbol('when it is done')

/** The same with what was written. Of a pod: its metadata and spec; of a status: itself. */
export const withWritten = <T extends object>(it: T, document: JsonObject): T => ({...it, [written]: document})

export const asWritten = (it: object): JsonObject | undefined => (it as {readonly [written]?: JsonObject})[written]

/** A patch is one of what is there when the server does it, not of what was there when it came in. */
export const withLateStatus = <T extends object>(request: T, status: (pod: Pod) => PodStatus): T => ({...request, [late]: status})

export const lateStatus = (request: object): ((pod: Pod) => PodStatus) | undefined =>
  (request as {readonly [late]?: (pod: Pod) => PodStatus})[late]
