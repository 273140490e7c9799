// What changed in the kubelet, one switch a change. A profile is the set of those it has; nothing else compares versions.

export interface Switch {
  readonly name: string
  /** The first version seen with it. */
  readonly since: string
  readonly why: string
  /** Upstream issue or pull request. */
  readonly issue: string
}

export const switches = {
  uncertainMounts: {
    name: 'uncertain-mounts',
    since: '1.18.2',
    why: 'a timeout may hide a stage or publish that the driver finished: the volume becomes uncertain and is undone later',
    issue: 'kubernetes/kubernetes#88660',
  },
  deletedIgnoresReasons: {
    name: 'deleted-ignores-reasons',
    since: '1.18.2',
    why: 'why a container could not start is no longer told of a pod that is deleted: one that has ended does not turn waiting again, which blocked every status of the pod',
    issue: 'kubernetes/kubernetes#88440',
  },
  endsKeepExits: {
    name: 'ends-keep-exits',
    since: '1.18.2',
    why: 'ending a pod keeps how its containers ended; it no longer writes exit code 0 over all of them',
    issue: 'kubernetes/kubernetes#88440',
  },
  stageOnce: {
    name: 'stage-once',
    since: '1.20.0',
    why: 'a volume that is known to be staged is not staged again for the next pod',
    issue: 'kubernetes/kubernetes#88759',
  },
  orphansEmptied: {
    name: 'orphans-emptied',
    since: '1.22.6',
    why: 'of a pod that is gone, volume directories that are empty are removed one by one; before, any of them kept the whole',
    issue: 'kubernetes/kubernetes#60987',
  },
  podDataAtSetUp: {
    name: 'pod-data-at-setup',
    since: '1.25.10',
    why: "a pod's vol_data.json is written right before NodePublishVolume, no longer when the mounter is made",
    issue: 'kubernetes/kubernetes#107065',
  },
  reconstructUncertain: {
    name: 'reconstruct-uncertain',
    since: '1.28.0',
    why: 'what is found on disk at start is uncertain, not mounted',
    issue: 'kubernetes/kubernetes#117745',
  },
} as const satisfies Record<string, Switch>

export type SwitchName = (typeof switches)[keyof typeof switches]['name']
