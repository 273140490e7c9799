// How the kubelet repeats what failed, in words for `next` (exponentialbackoff: 500 ms, twice as long each time).

export const pauses = 'with pauses of 500 ms that double up to 2m 2s'
