// A machine that has nothing but one snapshot to read, for verbs that are asked about a bundle.
import {nodeHost} from '../../src/node/endpoints/host.ts'
import type {Machine} from '../../src/node/runtime-source.ts'
import type {Snapshot} from '../../src/node/snapshot.ts'

export function bundleMachine(snapshot: Snapshot): Machine {
  return {
    host: nodeHost({}, '/nowhere'),
    clock: {now: () => snapshot.when, sleep: () => new Promise(() => undefined)},
    signal: new AbortController().signal,
    waiting: new Set(),
    spawnStatWorker: () => {
      throw new Error('a bundle needs no stat worker')
    },
    openBundle: async () => snapshot,
  }
}
