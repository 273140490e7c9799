// What random histories about volumes show of kubelets that have the fixes of B1 to B3: what the kubelets really do, each with where it comes from.
import type {KnownHole, KnownVersion} from './known-holes.ts'

/** Of all of them, to this day. */
const ofAll: readonly KnownHole[] = [
  {
    kind: /^stage-not-undone: .*, after a restart(, raw block)?$/,
    seed: 207_354_919,
    mendedBy: 'any',
    why: 'a restarted kubelet looks into the directories of pods alone: what is staged for no pod that has one is forgotten (kubernetes/kubernetes#85476)',
  },
  {
    kind: /^(publish-not-undone|unstaged-while-published|removed-while-published): .*, after a restart, raw block$/,
    seed: 398_878_163,
    mendedBy: 'any',
    why: "the pod's link to a raw block volume is there from when it is mapped until the unmapping begins: before and after that a restarted kubelet does not find its publish",
  },
  {
    kind: /, after its directory was removed$/,
    seed: 180_276_247,
    mendedBy: 'any',
    why: 'a raw block volume whose staging directory is gone counts as unstaged (kubernetes/kubernetes#129825)',
  },
  {
    kind: /, after the driver could not be asked$/,
    seed: 1_682_636_431,
    mendedBy: 'any',
    why: 'that a driver cannot be asked what it can do ends the doubt of an earlier call (kubernetes/kubernetes#135929; 1.36 mends it for the staging of file systems alone)',
  },
  {
    kind: /^left-behind: (staged|published), after a final answer$/,
    seed: 1_429_600_768,
    mendedBy: 'any',
    why: 'a final error ends the doubt of an earlier call, whatever that one has done (kubernetes/kubernetes#125625)',
  },
  {
    kind: /^stuck-terminating: .*, a volume of it is unknown to the driver$/,
    seed: 604_068_800,
    mendedBy: 'any',
    why: 'that the driver does not know a volume is no undoing: it is tried for ever (kubernetes/kubernetes#135736)',
  },
]

const missingDriver: KnownHole = {
  kind: /^((stage|publish)-not-undone: let go|removed-while-published: by the kubelet|unstaged-while-published: it was not unpublished)$/,
  seed: 87_889_362,
  mendedBy: ['missing-driver-transient'],
  why: 'that a driver is not registered ends the doubt of an earlier call (kubernetes/kubernetes#120330)',
}

const uncertainForgotten: KnownHole = {
  kind: 'removed-while-published: by the kubelet',
  seed: 1_815_204,
  mendedBy: ['uncertain-holds-pod'],
  why: 'an uncertain volume does not hold its pod (kubernetes/kubernetes#100183)',
}

const foundTooLittle: KnownHole = {
  kind: /^(publish-not-undone|unstaged-while-published|removed-while-published): .*, after a restart$/,
  seed: 349_038_175,
  mendedBy: ['reconstruct-uncertain', 'pod-worker-states', 'deleted-when-finished', 'missing-driver-transient'],
  why: 'a restarted kubelet takes up what is mounted alone: a publish that may be done, or an unpublish that may not, is forgotten (kubernetes/kubernetes#117745)',
}

const removedWhenGone: KnownHole = {
  kind: /^(stage|publish)-not-undone: (never tried|tried no more)$/,
  seed: 2_049_126_007,
  mendedBy: ['orphans-emptied'],
  why: 'the directory of a pod that is gone is removed while its volume is published: what has to be known to unpublish it was in there (kubernetes/kubernetes#102576)',
}

const finishedAtStart: KnownHole = {
  kind: 'stuck-terminating: for good',
  seed: 1_084_482_666,
  mendedBy: ['terminal-synced-anew'],
  why: 'a kubelet that restarts between the terminal phase and the removal takes the pod for finished (kubernetes/kubernetes#116954)',
}

export const volumeHoles: Readonly<Record<KnownVersion, readonly KnownHole[]>> = {
  '1.18.2': [...ofAll, missingDriver, uncertainForgotten, foundTooLittle],
  '1.21.2': [...ofAll, missingDriver, uncertainForgotten, foundTooLittle, removedWhenGone],
  '1.26.5': [...ofAll, {...missingDriver, seed: 348_175_042}, {...foundTooLittle, seed: 1_302_937_487}, finishedAtStart],
  '1.36.2': ofAll,
}
