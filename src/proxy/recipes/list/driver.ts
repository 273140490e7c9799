// Recipes about a CSI driver as a whole.
import type {KubeletWords} from '../kubelet-words.ts'
import type {Recipe} from '../recipe.ts'
import {noEvent} from './csi-words.ts'
import {checkFor, logOf, volumes} from './see-words.ts'

/** What follows from calls that end with UNAVAILABLE, before they have begun. */
const unavailable: readonly KubeletWords[] = [
  {
    text: 'It stays registered, as its registration has a socket of its own: new calls come again and again, after 0.5 s, then 1 s, 2 s, 4 s, up to 2 min 2 s.',
  },
  {
    text: 'Pods whose containers run feel nothing. New pods with a volume of it stay in ContainerCreating, with FailedMount (raw block: FailedMapVolume).',
  },
  {text: 'Pods that are deleted stay Terminating: NodeUnpublishVolume cannot be called, and no event tells of it.'},
  {
    has: 'uncertain-mounts',
    lacks: 'capability-error-uncertain',
    text: 'Before it stages the kubelet asks what the driver can do; that this fails ends the doubt about an earlier call that nobody answered: such a volume is not unstaged.',
  },
  {
    has: 'capability-error-uncertain',
    text: 'Before it stages the kubelet asks what the driver can do; that this fails ends the doubt about an earlier call that nobody answered for raw block volumes alone: such a volume is not unstaged.',
  },
]

export const driverRecipes: readonly Recipe[] = [
  {
    name: 'driver-gone',
    summary: "nobody listens on the driver's socket, and its file is there",
    aim: 'driver',
    rules: [{to: 'csi', kind: 'refuse'}],
    kubelet: [
      {text: 'The kubelet connects for each call: each is answered with UNAVAILABLE (connection refused) at once.'},
      ...unavailable,
    ],
    see: [
      checkFor('C02 driver-socket-dead', 'the driver and the volumes that wait for it'),
      {command: 'kubelimbo drivers', why: 'registered, and does not answer'},
      logOf(['connection refused', 'No retries permitted'], 'each call'),
    ],
    issues: ['kubernetes/kubernetes#135929', 'kubernetes-csi/node-driver-registrar#206'],
    scenario: 'capability-error-on-retry',
  },
  {
    name: 'driver-silent',
    summary: "the driver's socket takes connections, and nothing is ever answered",
    aim: 'driver',
    rules: [{to: 'csi', kind: 'accept-silent'}],
    kubelet: [
      {
        text: "The kubelet connects for each call. gRPC gives the connection 20 s to say anything, and the call ends with UNAVAILABLE then, well before its own 2 minutes; this is by gRPC's source.",
      },
      ...unavailable,
    ],
    see: [
      checkFor('C03 driver-hung', 'the driver and the volumes that wait for it'),
      {command: 'kubelimbo drivers', why: 'registered, and silent'},
      logOf(['code = Unavailable', 'No retries permitted'], 'each call'),
    ],
    issues: ['kubernetes/kubernetes#129799', 'containerd/containerd#12680'],
    scenario: 'capability-error-on-retry',
  },
  {
    name: 'stats-hang',
    summary: 'the driver never hears that it is asked how full its volumes are, and nobody answers',
    aim: 'driver',
    rules: [{to: 'csi', method: 'NodeGetVolumeStats', kind: 'hang-call'}],
    kubelet: [
      {
        text: 'The kubelet asks each volume of each pod again and again, about once a minute, and each question has 2 minutes. Staging and publishing do not wait for it.',
      },
      {
        text: 'The volumes are missing in /stats/summary and in kubelet_volume_stats_used_bytes, or stand still there. Nothing else tells of it.',
      },
      noEvent,
    ],
    see: [
      {command: 'kubectl get --raw /api/v1/nodes/{node}/proxy/stats/summary', why: 'the volumes that are missing in it'},
      volumes,
      {command: 'kubelimbo trace --ledger', why: 'how many of these calls nobody answered'},
    ],
    issues: ['ceph/ceph-csi#4200'],
  },
]
