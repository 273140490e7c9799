// How a person speaks with the container runtime that was asked: crictl with its endpoint, as nodes often have several.
import {known} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import {shellWord} from '../shell-word.ts'

/** Names on one command line: a pile is removed bit by bit. */
const mostIds = 10

/** 'crictl -r unix:///run/containerd/containerd.sock', where the endpoint is known. */
export function crictl({readings}: Snapshot): string {
  const endpoint = known(readings['runtime.answers'])?.endpoint
  return endpoint === undefined ? 'crictl' : `crictl -r ${shellWord(endpoint)}`
}

export function someIds(ids: readonly string[]): string {
  return ids.slice(0, mostIds).map(shellWord).join(' ')
}
