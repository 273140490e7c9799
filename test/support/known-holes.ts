// What random histories show of kubelets that have the fixes of A1 to A4: what the kubelets really do, each with where it comes from.
import {type Finding, kindOf} from '../../src/scenario/explore/finding.ts'
import type {Family} from '../../src/scenario/explore/generate/history.ts'
import {volumeHoles} from './known-volume-holes.ts'

export interface KnownHole {
  /** invariant: how */
  readonly kind: string | RegExp
  /** Of a history that shows it. */
  readonly seed: number
  /** One of them mends it; absent: none of the switches does; 'any' where its kind alone tells it. */
  readonly mendedBy?: readonly string[] | 'any'
  readonly why: string
}

const beforeWorkers: readonly KnownHole[] = [
  {
    kind: 'removed-while-running: by the kubelet',
    seed: 100,
    mendedBy: ['pod-worker-states', 'deleted-when-finished'],
    why: 'deleted before the PLEG has listed its container: all wait, nothing is cached, so nothing of it seems left (seen on a real 1.18.2: Pending to the end). Of a pod with volumes, or with cgroups per QoS, those hold the object',
  },
  ...(
    [
      ['and it never ran', 129],
      ['and it could not start', 924],
      ['and it ended otherwise', 88],
      ['while it runs', 2179],
    ] as const
  ).map(([how, seed]) => ({
    kind: `success-made-up: ${how}`,
    seed,
    mendedBy: ['created-waits'],
    why: 'a container that was only created is told to have ended with 0, with its containerID, as its state or its last one',
  })),
  ...(
    [
      ['Failed, then Pending', 189],
      ['Failed, then Running', 122],
    ] as const
  ).map(([how, seed]) => ({
    kind: `end-undone: ${how}`,
    seed,
    mendedBy: ['phase-kept', 'pod-worker-states', 'channel-wakes-only'],
    why: 'no guard keeps a terminal phase but one that looks at the pod as the worker holds it: an evicted pod is told anew from what its containers are',
  })),
  {
    kind: 'end-undone: Failed, then Succeeded',
    seed: 11_689,
    mendedBy: ['created-waits'],
    why: 'a failed container is removed and an older one of it, which was only created, counts as ended with 0',
  },
  {
    kind: 'end-undone: Succeeded, then Failed',
    seed: 5647,
    mendedBy: ['phase-waits-for-containers', 'pod-worker-states'],
    why: 'a second sync that was queued before the end was told finds the active deadline passed',
  },
]

export type KnownVersion = '1.18.2' | '1.21.2' | '1.26.5' | '1.36.2'

const podHoles: Readonly<Record<KnownVersion, readonly KnownHole[]>> = {
  '1.18.2': [
    ...beforeWorkers,
    {
      kind: 'stuck-terminating: for good',
      seed: 158,
      mendedBy: ['terminal-synced'],
      why: 'its deadline passes while it is Terminating and its containers run: the phase is Failed, and no work is taken on for it any more (kubernetes/kubernetes#98742)',
    },
  ],
  '1.21.2': beforeWorkers,
  '1.26.5': [
    {
      kind: 'stuck-terminating: for good',
      seed: 4269,
      mendedBy: ['terminal-synced-anew'],
      why: 'a kubelet that restarts between the terminal phase and the removal takes the pod for finished (kubernetes/kubernetes#116954)',
    },
    ...(
      [
        ['Failed, then Running', 535],
        ['Failed, then Pending', 5049],
        ['Failed, then Succeeded', 9762],
        ['Succeeded, then Pending', 33_438],
      ] as const
    ).map(([how, seed]) => ({
      kind: `end-undone: ${how}`,
      seed,
      mendedBy: ['deleted-when-finished', 'exits-read-after-kill'],
      why: 'the object may be asked to go before the worker has finished: then the status is forgotten, and told anew when a finalizer holds the object',
    })),
    {
      kind: 'end-undone: Succeeded, then Failed',
      seed: 1_966_024_971,
      why: 'the active deadline passes between the last but one and the last status: it is asked of a pod that has succeeded, too',
    },
  ],
  '1.36.2': [
    {
      kind: 'end-undone: Succeeded, then Failed',
      seed: 1_076_866_337,
      why: 'the active deadline passes between the last but one and the last status: it is asked of a pod that has succeeded, too',
    },
    {
      kind: 'failure-forgotten: the code becomes 0',
      seed: 1_469_118_250,
      why: 'a container in back-off when its pod has to end waits, so it gets a made-up 137 (kubernetes/kubernetes#122160); a restarted kubelet tells its real 0',
    },
  ],
}

export const knownVersions = Object.keys(podHoles) as readonly KnownVersion[]

export const holesOf = (version: KnownVersion, family: Family): readonly KnownHole[] =>
  (family === 'volumes' ? volumeHoles : podHoles)[version]

export const patternOf = ({kind}: KnownHole): RegExp => (typeof kind === 'string' ? new RegExp(`^${kind}$`) : kind)

export function isKnown({violation, switches, otherSwitches}: Finding, holes: readonly KnownHole[]): boolean {
  const menders: readonly string[] = [switches, ...otherSwitches].flat()
  return holes.some((hole) => {
    const {mendedBy = []} = hole
    if (!patternOf(hole).test(kindOf(violation))) return false
    if (mendedBy === 'any') return true
    return mendedBy.length === 0 ? switches.length === 0 : mendedBy.some((name) => menders.includes(name))
  })
}
