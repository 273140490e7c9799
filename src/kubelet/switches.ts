// What changed in the kubelet, one switch a change. A profile is the set of those it has; nothing else compares versions.
import {volumeSwitches} from './volume-switches.ts'

export interface Switch {
  readonly name: string
  /** The first version seen with it. */
  readonly since: string
  readonly why: string
  /** Upstream issue or pull request. */
  readonly issue: string
  /**
   * [U] What of it is not certain. `since`: no version between it and one that lacks the change was read. `issue`: neither the sources nor a
   * thread that was read say the number.
   */
  readonly unverified?: 'since' | 'since and issue'
}

export const switches = {
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
  channelFlushed: {
    name: 'channel-flushed',
    since: '1.18.2',
    why: 'what waits in the status channel is dropped before each batch, which takes all of it from the cache; before, it went on filling the channel',
    issue: 'kubernetes/kubernetes#88440',
  },
  loopInsideClosure: {
    name: 'loop-inside-closure',
    since: '1.18.2',
    why: 'the status manager loops around its select; before, each event left the closure and entered it again',
    issue: 'kubernetes/kubernetes#88440',
  },
  equalNotPatched: {
    name: 'equal-not-patched',
    since: '1.18.2',
    why: 'a status that the API server has already is not patched; before, a patch with nothing but the uid was sent',
    issue: 'kubernetes/kubernetes#88440',
  },
  endsAfterContainers: {
    name: 'ends-after-containers',
    since: '1.18.2',
    why: 'a pod is only ended when none of its containers runs; before, a terminal phase was enough',
    issue: 'kubernetes/kubernetes#88440',
  },
  missingKilled: {
    name: 'missing-killed',
    since: '1.20.0',
    why: 'a container that ran and is gone from the runtime is told to have ended with 137; before, it was as if it had never run',
    issue: 'kubernetes/kubernetes#95364',
  },
  podWorkerStates: {
    name: 'pod-worker-states',
    since: '1.22.6',
    why: 'a pod worker runs, terminates and has terminated a pod, in this order; before, each event decided anew what to do',
    issue: 'kubernetes/kubernetes#102344',
  },
  waitingEndsKilled: {
    name: 'waiting-ends-killed',
    since: '1.22.6',
    why: 'a container that still waits when its pod has ended gets 137, too',
    issue: 'kubernetes/kubernetes#102344',
  },
  deadNotAwaited: {
    name: 'dead-not-awaited',
    since: '1.22.6',
    why: 'a pod may be deleted while dead containers of it are still in the runtime; before, they had to be removed first',
    issue: 'kubernetes/kubernetes#102344',
  },
  createdWaits: {
    name: 'created-waits',
    since: '1.25.10',
    why: 'a container that was created and never started waits; before, it had ended with exit code 0',
    issue: 'kubernetes/kubernetes#107845',
  },
  phaseKept: {
    name: 'phase-kept',
    since: '1.25.10',
    why: 'a phase that was Failed or Succeeded once, in the cache or in the API, stays',
    issue: 'kubernetes/kubernetes#102344',
  },
  phaseWaitsForContainers: {
    name: 'phase-waits-for-containers',
    since: '1.25.10',
    why: 'a terminal phase is not written to the API server while containers of the pod may run',
    issue: 'kubernetes/kubernetes#108366',
  },
  initialisedOnlyEnds: {
    name: 'initialised-only-ends',
    since: '1.25.10',
    why: 'when a pod ends, only containers that can have started get 137',
    issue: 'kubernetes/kubernetes#108366',
  },
  channelWakesOnly: {
    name: 'channel-wakes-only',
    since: '1.27.7',
    why: 'the status channel holds one token, and what is new is read from the cache',
    issue: 'kubernetes/kubernetes#116615',
  },
  deletedWhenFinished: {
    name: 'deleted-when-finished',
    since: '1.27.7',
    why: 'a pod is deleted when its worker has finished and the API server knows its terminal phase; before, when nothing of it seemed left',
    issue: 'kubernetes/kubernetes#115331',
  },
  exitsReadAfterKill: {
    name: 'exits-read-after-kill',
    since: '1.27.7',
    why: 'the status is read once more when the containers have been stopped, and the pod gets its terminal phase from it',
    issue: 'kubernetes/kubernetes#115331',
  },
  endsFailed: {
    name: 'ends-failed',
    since: '1.27.7',
    why: 'a pod that ends while Pending or Running has Failed',
    issue: 'kubernetes/kubernetes#115331',
  },
  missingRestarted: {
    name: 'missing-restarted',
    since: '1.26.5',
    why: 'a container that ran and is gone from the runtime ended with 137 and counts as restarted in a pod that is not deleted, too',
    issue: 'kubernetes/kubernetes#102821',
    unverified: 'since and issue',
  },
  failedIsUnready: {
    name: 'failed-is-unready',
    since: '1.25.10',
    why: 'a pod that has Failed is not ready, whatever its containers still are',
    issue: 'kubernetes/kubernetes#108594',
    unverified: 'since',
  },
  initInferred: {
    name: 'init-inferred',
    since: '1.36.2',
    why: 'an init container that is gone from the runtime has succeeded when a container of the pod was created after it',
    issue: 'kubernetes/kubernetes#131317',
    unverified: 'since and issue',
  },
  lastStateKept: {
    name: 'last-state-kept',
    since: '1.36.2',
    why: 'how a container ended before and how often it was restarted is kept when the dead one is gone from the runtime',
    issue: 'kubernetes/kubernetes#136964',
    unverified: 'since',
  },
  clientFiftyQps: {
    name: 'client-fifty-qps',
    since: '1.27.7',
    why: 'the kubelet asks the API server 50 times a second, in bursts of 100; before, 5 and 10',
    issue: 'kubernetes/kubernetes#116121',
  },
  terminalSynced: {
    name: 'terminal-synced',
    since: '1.21.2',
    why: 'a pod in a terminal phase goes on to its worker while containers of it run; before, that was dropped, and nobody killed them again',
    issue: 'kubernetes/kubernetes#98742',
    unverified: 'since',
  },
  doneNeedsNoSandbox: {
    name: 'done-needs-no-sandbox',
    since: '1.21.2',
    why: 'a pod whose containers have all succeeded, and need not run again, gets no new sandbox',
    issue: 'kubernetes/kubernetes#92614',
    unverified: 'since',
  },
  goneIsStopped: {
    name: 'gone-is-stopped',
    since: '1.26.5',
    why: 'a container or sandbox that the runtime does not know any more counts as stopped; before, the pod was killed again and again',
    issue: 'kubernetes/kubernetes#106712',
    unverified: 'since and issue',
  },
  graceFloorLast: {
    name: 'grace-floor-last',
    since: '1.36.2',
    why: 'two seconds are the least that any container gets; before, an eviction could ask for less',
    issue: 'kubernetes/kubernetes#92432',
    unverified: 'since and issue',
  },
  backOffAwaited: {
    name: 'back-off-awaited',
    since: '1.36.2',
    why: 'a pod whose crashed container waits for its restart is synced again when the wait ends; before, every 10 to 15 seconds',
    issue: 'kubernetes/kubernetes#133066',
    unverified: 'since and issue',
  },
  volumesAwaited: {
    name: 'volumes-awaited',
    since: '1.27.7',
    why: 'a pod is finished when none of its volumes is left; before, the deletion looked at them',
    issue: 'kubernetes/kubernetes#115331',
    unverified: 'since',
  },
  terminalSyncedAnew: {
    name: 'terminal-synced-anew',
    since: '1.36.2',
    why: 'a restarted kubelet goes through the end of a pod in a terminal phase once more; before, it took it for finished',
    issue: 'kubernetes/kubernetes#117019',
    unverified: 'since',
  },
  orphansTerminated: {
    name: 'orphans-terminated',
    since: '1.36.2',
    why: 'housekeeping drives on workers whose pod is gone from the API server; before, one that had failed was never tried again',
    issue: 'kubernetes/kubernetes#113145',
    unverified: 'since',
  },
  relistOnDemand: {
    name: 'relist-on-demand',
    since: '1.36.2',
    why: 'a pod is looked at again as soon as its sync has done something; before, with all others, up to a second later',
    issue: 'kubernetes/kubernetes#137362',
    unverified: 'since',
  },
  initsNotRerun: {
    name: 'inits-not-rerun',
    since: '1.21.2',
    why: 'while a container of the pod runs, init containers that are gone from the runtime are not run once more',
    issue: 'kubernetes/kubernetes#96572',
    unverified: 'since',
  },
  probesSyncPods: {
    name: 'probes-sync-pods',
    since: '1.21.2',
    why: 'what a readiness probe says makes its pod due; before, only the status manager heard of it',
    issue: 'kubernetes/kubernetes#98376',
    unverified: 'since',
  },
  killsAwaited: {
    name: 'kills-awaited',
    since: '1.21.2',
    why: 'a pod is not started while an earlier one of its name, which the API server has no more, is still being killed',
    issue: 'kubernetes/kubernetes#98424',
    unverified: 'since and issue',
  },
  housekeepingListsAnew: {
    name: 'housekeeping-lists-anew',
    since: '1.36.2',
    why: 'housekeeping asks the runtime which pods run; before, it used a list of up to two seconds ago, and killed once more what had just ended',
    issue: 'kubernetes/kubernetes#113145',
    unverified: 'since',
  },
  ...volumeSwitches,
} as const satisfies Record<string, Switch>

export type SwitchName = (typeof switches)[keyof typeof switches]['name']
