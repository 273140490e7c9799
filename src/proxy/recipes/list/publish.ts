// Recipes about NodePublishVolume.
import type {KubeletWords} from '../kubelet-words.ts'
import type {Recipe, See} from '../recipe.ts'
import {mountEvents, oneAtATime, triedAgain} from './csi-words.ts'
import {checkFor, logOf, podEvents, traced, volumes, whyPod} from './see-words.ts'

const method = 'NodePublishVolume'

const waits: readonly KubeletWords[] = [
  {text: 'It takes a pod that is new on this node, or a driver whose volumes are published again and again (requiresRepublish).'},
  triedAgain(method),
  oneAtATime,
  {
    text: 'The volume is staged, and the pod stays in ContainerCreating, with an event FailedMount (raw block: FailedMapVolume) after each call.',
  },
]

/** kubelet-behaviour 5.7: looking for users of a device of which nothing was mapped fails. */
const blockForgotten: KubeletWords = {
  lacks: ['uncertain-mounts', 'missing-map-is-unused'],
  mode: 'block',
  text: 'when the pod is deleted there is no NodeUnpublishVolume, and no NodeUnstageVolume either: "UnmapDevice.GetDeviceBindMountRefs check failed", again and again up to every 2 min 2 s.',
}

const undone: readonly KubeletWords[] = [
  {
    has: 'uncertain-mounts',
    lacks: 'uncertain-undone-early',
    mode: 'block',
    text: 'a pod that is deleted is gone within seconds; when the call has had its 2 minutes NodeUnpublishVolume follows, and 0.1 s later NodeUnstageVolume.',
  },
  {
    has: 'uncertain-mounts',
    lacks: ['uncertain-undone-early', 'csi-mount-subdir-checked'],
    mode: 'filesystem',
    text: 'a pod that is deleted is gone within seconds; when the call has had its 2 minutes NodeUnpublishVolume follows, and 0.1 s later NodeUnstageVolume.',
  },
  {
    has: 'uncertain-undone-early',
    lacks: 'volume-wait-cut',
    text: 'A pod that is deleted is Terminating to the end: NodePublishVolume is called a second time 0.5 s after the first has had its 2 minutes, and after 4 minutes in all NodeUnpublishVolume follows, and 0.1 s later NodeUnstageVolume.',
  },
]

const see = (why: string): readonly See[] => [
  whyPod,
  volumes,
  checkFor('U02 publish-uncertain', why),
  podEvents(mountEvents),
  logOf(['MountVolume.SetUp failed', 'MapVolume.MapPodDevice failed'], 'after each call, with DeadlineExceeded'),
  traced,
]

export const publishRecipes: readonly Recipe[] = [
  {
    name: 'publish-hang',
    summary: 'the driver never hears that it is to publish the volume for a pod, and nobody answers',
    aim: 'pvc',
    rules: [{to: 'csi', method, kind: 'hang-call'}],
    kubelet: [
      ...waits,
      {
        lacks: 'uncertain-mounts',
        mode: 'filesystem',
        text: 'when the pod is deleted there is no NodeUnpublishVolume, which is right by luck, as the driver has done nothing; NodeUnstageVolume follows when the call has had its 2 minutes.',
      },
      blockForgotten,
      ...undone,
      {
        has: ['uncertain-mounts', 'csi-mount-subdir-checked', 'orphan-targets-removed'],
        lacks: 'uncertain-undone-early',
        mode: 'filesystem',
        text: 'of a pod that is deleted the directory is removed while the call runs, vol_data.json with it. Without it there is no NodeUnpublishVolume ("UnmountVolume.NewUnmounter failed", ten times a second), and no NodeUnstageVolume: the volume stays staged.',
      },
      {
        has: 'volume-wait-cut',
        text: 'A pod that is deleted is gone a second or two later, as nothing is mounted for it; when the call has had its 2 minutes NodeUnpublishVolume follows all the same, and 0.1 s later NodeUnstageVolume.',
      },
    ],
    see: see('while a call runs, and when its end is not known'),
    issues: ['kubernetes/kubernetes#82492', 'kubernetes/kubernetes#88660', 'kubernetes/kubernetes#101911'],
    scenario: 'unpublish-without-target',
  },
  {
    name: 'publish-lost',
    summary: 'the driver publishes the volume for a pod, and the kubelet never hears of it',
    aim: 'pvc',
    rules: [{to: 'csi', method, kind: 'hang-after-exec'}],
    kubelet: [
      ...waits,
      {
        text: 'The driver is told once more to publish what it has published: it must answer OK. One that mounts anew stacks its mounts (V07).',
      },
      {
        lacks: 'uncertain-mounts',
        mode: 'filesystem',
        text: 'when the pod is deleted there is no NodeUnpublishVolume: it stays mounted for a pod that is gone, and cannot be unstaged, as it is "still mounted by other references".',
      },
      blockForgotten,
      ...undone,
      {
        has: ['uncertain-mounts', 'csi-mount-subdir-checked'],
        lacks: 'uncertain-undone-early',
        mode: 'filesystem',
        text: 'nothing that is uncertain is undone while the object of the pod is there, and the object is kept while the volume is seen mounted: a pod that is deleted stays Terminating, and its volume is published again and again.',
      },
      {
        has: 'volume-wait-cut',
        mode: 'filesystem',
        text: 'a pod that is deleted is Terminating until the call has had its 2 minutes, as the volume is seen mounted for it; then NodeUnpublishVolume follows within 0.2 s, and 0.1 s later NodeUnstageVolume.',
      },
      {
        has: 'volume-wait-cut',
        mode: 'block',
        text: 'a pod that is deleted is gone a second or two later; when the call has had its 2 minutes NodeUnpublishVolume follows, and 0.1 s later NodeUnstageVolume.',
      },
    ],
    see: see('while a call runs, and when its end is not known; V03 leaked-publish-mount: what stays'),
    issues: ['kubernetes/kubernetes#82492', 'kubernetes/kubernetes#88660', 'kubernetes/kubernetes#100183'],
    scenario: 'publish-timeout-filesystem',
  },
  {
    name: 'publish-fake',
    summary: 'the kubelet is told that the volume is published, and the driver has never heard of it',
    aim: 'pvc',
    rules: [{to: 'csi', method, kind: 'fake-success'}],
    kubelet: [
      {text: 'It takes a pod that is new on this node. No kubelet looks whether something is mounted: the pod starts.'},
      {
        mode: 'filesystem',
        text: "what the pod writes goes to the disk of the node, below the kubelet's directory, and not to the volume. Nothing tells of it until NodeGetVolumeStats is answered with an error.",
      },
      {mode: 'block', text: 'the target is not there, and mapping it fails: the pod stays in ContainerCreating with FailedMapVolume.'},
      {text: 'When the pod is deleted the driver gets a NodeUnpublishVolume for what it has not published: it must answer OK.'},
    ],
    see: [
      checkFor('V06 volume-dir-not-mounted', 'the pod runs, and at its volume nothing is mounted'),
      volumes,
      whyPod,
      {command: 'kubectl -n {namespace} exec {podName} -- df', why: 'its volume has the file system of the node'},
    ],
    issues: ['kubernetes/kubernetes#109955', 'kubernetes/kubernetes#126634'],
  },
]
