// For how long the same picture may be work in progress.

/** The kubelet looks for left pod directories every two seconds, but only when no volume of the pod is at work. */
export const leftDirGraceMs = 600_000
/** A file or mount that is missing between two steps of the kubelet. */
export const stepGraceMs = 120_000
/** A stage that is repeated once: the answer that the kubelet waits for, twice, and the pause between. */
export const stagingGraceMs = 300_000
