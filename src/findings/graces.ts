// For how long the same picture may be work in progress.
import {csiTimeoutMs} from './uncertain-call.ts'

/** exponentialbackoff: 2 min 2 s at most between two tries, and the call's own time; twice, so that one try may fail. */
export const healingGraceMs = 2 * (csiTimeoutMs + 122_000)
/** The kubelet looks for left pod directories every two seconds, but only when no volume of the pod is at work. */
export const leftDirGraceMs = 600_000
/** A file or mount that is missing between two steps of the kubelet. */
export const stepGraceMs = 120_000
/** A stage that is repeated once: the answer that the kubelet waits for, twice, and the pause between. */
export const stagingGraceMs = 300_000
