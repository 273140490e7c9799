// Recipes about NodeStageVolume.
import type {KubeletWords} from '../kubelet-words.ts'
import type {Recipe, See} from '../recipe.ts'
import {mountEvents, oneAtATime, triedAgain} from './csi-words.ts'
import {checkFor, logOf, podEvents, traced, volumes, whyPod} from './see-words.ts'

const method = 'NodeStageVolume'

const waits: readonly KubeletWords[] = [
  {text: 'It takes a pod that is new on this node: one that runs has its volume already.'},
  triedAgain(method),
  oneAtATime,
  {
    text: 'The pod stays in ContainerCreating, with an event FailedMount (raw block: FailedMapVolume) after each call, and with "Unable to attach or mount volumes" every 2 min 3 s.',
  },
]

/** When the object of a pod that is deleted meanwhile goes. */
const objectGoes: readonly KubeletWords[] = [
  {lacks: 'pod-worker-states', text: 'A pod that is deleted meanwhile is gone within seconds: its volumes do not hold it.'},
  {
    has: 'pod-worker-states',
    lacks: 'volume-wait-cut',
    text: 'A pod that is deleted meanwhile is Terminating until the wait for its volumes is over, 2 min 3 s after it began; by then NodeStageVolume has been called a second time.',
  },
  {has: 'volume-wait-cut', text: 'A pod that is deleted meanwhile is gone a second or two later: its volume does not hold it.'},
]

const undone: readonly KubeletWords[] = [
  {
    has: 'uncertain-mounts',
    text: 'A call that nobody answered leaves the device uncertain: with the pod gone, NodeUnstageVolume follows within 0.5 s of the end of the last call.',
  },
  {text: 'While the object of the pod is held, by a finalizer say, the kubelet goes on staging.'},
]

const see = (why: string): readonly See[] => [
  whyPod,
  volumes,
  checkFor('U01 stage-uncertain', why),
  podEvents(mountEvents),
  logOf(['MountVolume.MountDevice failed', 'MapVolume.SetUpDevice failed'], 'after each call, with DeadlineExceeded'),
  traced,
]

export const stageRecipes: readonly Recipe[] = [
  {
    name: 'stage-hang',
    summary: 'the driver never hears that it is to stage the volume, and nobody answers',
    aim: 'pvc',
    rules: [{to: 'csi', method, kind: 'hang-call'}],
    kubelet: [
      ...waits,
      ...objectGoes,
      {
        lacks: 'uncertain-mounts',
        text: 'An answer that did not come counts as a failure: the volume is forgotten without NodeUnstageVolume. Here that is right by luck, as the driver has done nothing.',
      },
      ...undone,
    ],
    see: see('while a call runs, and when its end is not known'),
    issues: ['kubernetes/kubernetes#82492', 'kubernetes/kubernetes#88660'],
    scenario: 'stage-timeout-block',
  },
  {
    name: 'stage-lost',
    summary: 'the driver stages the volume, and the kubelet never hears of it',
    aim: 'pvc',
    rules: [{to: 'csi', method, kind: 'hang-after-exec'}],
    kubelet: [
      ...waits,
      {text: 'The driver is told once more to stage what it has staged: it must answer OK. One that mounts anew stacks its mounts (V07).'},
      ...objectGoes,
      {
        lacks: 'uncertain-mounts',
        text: 'An answer that did not come counts as a failure: the volume is forgotten without NodeUnstageVolume, and stays staged on the node for nobody.',
      },
      ...undone,
      {
        has: 'uncertain-mounts',
        text: 'A kubelet that restarts before that has forgotten it: nobody looks into the staging directories, and it stays staged.',
      },
    ],
    see: see('while a call runs, and when its end is not known; V04 stranded-staging: what stays'),
    issues: ['kubernetes/kubernetes#82492', 'kubernetes/kubernetes#88660', 'kubernetes/kubernetes#85476'],
    scenario: 'stage-timeout-filesystem',
  },
  {
    name: 'stage-refused-late',
    summary: 'the driver stages the volume and answers INTERNAL all the same',
    aim: 'pvc',
    rules: [
      {to: 'csi', method, kind: 'exec-then-error', parameters: {code: 'INTERNAL', message: 'refused by kubelimbo after it was done'}},
    ],
    kubelet: [
      {text: 'It takes a pod that is new on this node: one that runs has its volume already.'},
      {text: 'INTERNAL is final to every kubelet: the driver is believed to be done with it, and to have done nothing.'},
      {
        text: 'NodeStageVolume is called again after 0.5 s, then 1 s, 2 s, 4 s, up to 2 min 2 s, with an event FailedMount (raw block: FailedMapVolume) each time.',
      },
      {
        has: 'uncertain-mounts',
        text: 'It also ends the doubt that an earlier call left, which nobody answered: when the pod is deleted there is no NodeUnstageVolume, and the volume stays staged.',
      },
      {lacks: 'uncertain-mounts', text: 'When the pod is deleted there is no NodeUnstageVolume, and the volume stays staged.'},
    ],
    see: see('what is staged for nobody').map((each) =>
      each.command === 'kubelimbo check' ? checkFor('V04 stranded-staging', 'staged for no pod') : each,
    ),
    issues: ['kubernetes/kubernetes#125625', 'kubernetes/kubernetes#82492'],
    scenario: 'final-error-on-retry',
  },
]
