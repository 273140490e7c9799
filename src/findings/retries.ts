// How the kubelet repeats what failed, in words for `next` (exponentialbackoff).

export const pauses = 'with pauses that double from 500ms to 2m 2s'
