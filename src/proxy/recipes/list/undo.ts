// Recipes about the two calls that undo: NodeUnpublishVolume and NodeUnstageVolume.
import type {KubeletWords} from '../kubelet-words.ts'
import type {Recipe, See} from '../recipe.ts'
import {noEvent, triedAgain} from './csi-words.ts'
import {checkFor, logOf, traced, volumes, whyClaim, whyPod} from './see-words.ts'

const unpublish: readonly KubeletWords[] = [
  {text: 'It takes a pod that is deleted, or that has ended: when its containers are gone, its volumes are unpublished.'},
  triedAgain('NodeUnpublishVolume'),
  noEvent,
  {text: 'Any error is tried again without end, NOT_FOUND too.'},
]

const held: KubeletWords = {text: 'The pod is Terminating until one of these calls is answered with OK; NodeUnstageVolume waits for it.'}

/** Behind the kind of volume that it is about. */
const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

const nextPublished: KubeletWords = {
  has: 'failed-unmount-uncertain',
  text: 'After the first 2 minutes the volume is uncertain for this pod; nothing of it is taken for mounted any more.',
}

const seeUnpublish = (why: string): readonly See[] => [
  whyPod,
  volumes,
  checkFor('P01 terminating-with-nothing-left', why),
  logOf(['UnmountVolume.TearDown failed', 'UnmapVolume.UnmapPodDevice failed'], 'after each call'),
  traced,
]

const unstage: readonly KubeletWords[] = [
  {text: 'It takes the last pod of this volume on the node to be deleted: then it is unpublished, and 0.1 s later unstaged.'},
  triedAgain('NodeUnstageVolume'),
  noEvent,
  {text: 'The pod does not wait for it and is gone. The volume stays in volumesInUse of the node, so that it is not detached.'},
]

const nextPod: readonly KubeletWords[] = [
  {text: 'A new pod of the volume on this node waits until the call that runs has had its 2 minutes.'},
  {lacks: 'stage-once', text: 'Then the volume is staged for it, as for each pod.'},
  {
    has: 'stage-once',
    lacks: 'failed-unmount-uncertain',
    text: 'Then the volume still counts as staged: it gets NodePublishVolume without NodeStageVolume.',
  },
  {has: 'failed-unmount-uncertain', text: 'Then the volume is uncertain and is staged anew for it.'},
]

const seeUnstage = (why: string): readonly See[] => [
  volumes,
  whyClaim,
  checkFor('V04 stranded-staging', why),
  {command: 'kubectl get node {node} -o jsonpath={.status.volumesInUse}', why: 'the volume stays in it'},
  logOf(['UnmountDevice failed', 'UnmapDevice.TearDownDevice failed'], 'after each call'),
  traced,
]

export const undoRecipes: readonly Recipe[] = [
  {
    name: 'unpublish-hang',
    summary: 'the driver never hears that it is to unpublish the volume of a pod, and nobody answers',
    aim: 'pvc',
    rules: [{to: 'csi', method: 'NodeUnpublishVolume', kind: 'hang-call'}],
    kubelet: [...unpublish, held, nextPublished, {text: 'The volume stays mounted for the pod meanwhile.'}],
    see: seeUnpublish('nothing of it runs any more'),
    issues: ['kubernetes/kubernetes#135736', 'kubernetes/kubernetes#100183'],
  },
  {
    name: 'unpublish-lost',
    summary: 'the driver unpublishes the volume of a pod, and the kubelet never hears of it',
    aim: 'pvc',
    rules: [{to: 'csi', method: 'NodeUnpublishVolume', kind: 'hang-after-exec'}],
    kubelet: [
      ...unpublish,
      {...held, mode: 'filesystem', text: lowered(held.text)},
      {...held, has: 'unpublished-always', mode: 'block', text: lowered(held.text)},
      {
        lacks: 'unpublished-always',
        mode: 'block',
        text: 'the driver has removed the target, and so there is no second call ("has already been deleted, skip calling NodeUnpublishVolume"): the volume is unstaged, and the pod is gone up to 10 s later.',
      },
      nextPublished,
      {
        text: 'Nothing is mounted any more from the first call on. The driver is told again and again to unpublish what is gone: it must answer OK.',
      },
    ],
    see: seeUnpublish('nothing of it is left, and it is Terminating all the same'),
    issues: ['kubernetes/kubernetes#116847', 'kubernetes/kubernetes#135736'],
  },
  {
    name: 'unstage-hang',
    summary: 'the driver never hears that it is to unstage the volume, and nobody answers',
    aim: 'pvc',
    rules: [{to: 'csi', method: 'NodeUnstageVolume', kind: 'hang-call'}],
    kubelet: [
      ...unstage,
      ...nextPod,
      {text: 'A kubelet that restarts meanwhile has forgotten it: it is never unstaged, unless a pod uses it again.'},
    ],
    see: seeUnstage('staged for no pod'),
    issues: ['kubernetes/kubernetes#85476', 'kubernetes/kubernetes#102486'],
    scenario: 'restart-between-unpublish-and-unstage',
  },
  {
    name: 'unstage-lost',
    summary: 'the driver unstages the volume, and the kubelet never hears of it',
    aim: 'pvc',
    rules: [{to: 'csi', method: 'NodeUnstageVolume', kind: 'hang-after-exec'}],
    kubelet: [
      ...unstage,
      ...nextPod,
      {
        text: 'The driver is told again and again to unstage what is gone: it must answer OK, also when a new pod had it staged in between.',
      },
    ],
    see: seeUnstage('what the kubelet holds for staged has nothing mounted'),
    issues: ['kubernetes/kubernetes#100182', 'kubernetes/kubernetes#121357'],
    scenario: 'publish-without-stage',
  },
  {
    name: 'unstage-refused-late',
    summary: 'the driver unstages the volume and answers INTERNAL all the same',
    aim: 'pvc',
    rules: [
      {
        to: 'csi',
        method: 'NodeUnstageVolume',
        kind: 'exec-then-error',
        parameters: {code: 'INTERNAL', message: 'refused by kubelimbo after it was done'},
      },
    ],
    kubelet: [
      {
        text: 'It takes the last pod of this volume on the node to be deleted. NodeUnstageVolume is called again after 0.5 s, then 1 s, 2 s, 4 s, up to 2 min 2 s.',
      },
      noEvent,
      ...nextPod.slice(1).map((each) => ({...each, text: each.text.replace(/^Then/, 'When a new pod of it comes to this node')})),
      {
        has: 'stage-once',
        lacks: 'failed-unmount-uncertain',
        text: 'A driver that heeds the specification refuses that with FAILED_PRECONDITION, and the pod never starts.',
      },
    ],
    see: [
      checkFor('V05 publish-without-stage', 'the volume of the new pod'),
      ...seeUnstage('what the kubelet holds for staged has nothing mounted').filter(({command}) => command !== 'kubelimbo check'),
    ],
    issues: ['kubernetes/kubernetes#100182', 'kubernetes/kubernetes#106729', 'kubernetes/kubernetes#86360'],
    scenario: 'publish-without-stage',
  },
]
