// R01: the container runtime does not answer: not at all, one of its calls, or about one container.
import {formatDuration} from '../../base/duration.ts'
import type {DetectContext, Detector, Unseen} from '../detector.ts'
import type {Finding} from '../finding.ts'
import {takeoverOf} from '../takeovers/takeover-of.ts'
import {provenMs, type RuntimeTroubles, runtimeTroubles} from './runtime-troubles.ts'
import {slowContainerFinding} from './slow-container.ts'
import {runtimeFinding, runtimeSubject} from './unresponsive-runtime.ts'

export const runtimeUnresponsive: Detector = {
  code: 'R01',
  name: 'runtime-unresponsive',
  severities: [
    {
      severity: 'critical',
      when: "nobody listens or answers where the runtime should be, or ListPodSandbox, ListContainers or every ContainerStatus hangs: the kubelet's relist stops",
    },
    {
      severity: 'error',
      when: 'Status hangs: the kubelet calls the runtime down after 30s; a list fails; one container hangs: the relist waits 2m for it; or nobody names the runtime that hangs',
    },
    {
      severity: 'warning',
      when: `ListImages hangs: only the images are not cleaned up; Status fails; an answer took longer than ${formatDuration(provenMs)}; or the socket may be the wrong one`,
    },
    {severity: 'info', when: 'it says that it is still starting, or ListImages fails'},
  ],
  graceMs: provenMs,
  sampleTwice: true,
  needs: () => [['runtime.answers']],
  cannotLook: (context) => (findings(context).length > 0 ? undefined : unseen(context)),
  besides: unseen,
  helpedBy: ['runtime.container-status', 'runtime.containers', 'takeovers'],
  explain: {
    what: 'The container runtime is asked call by call, and each container for its own status. Some of it was not answered.',
    how:
      'A lock that is held, a disk or a mount that hangs, too many goroutines: a list that needs the lock of one container hangs while others are ' +
      'answered, so `crictl ps` hangs and `crictl pods` does not. The kubelet lists all sandboxes and containers each second, and asks for the ' +
      'status of those that changed; each call has 2m. After 3m without the end of such a relist the node is NotReady, and no pod is synchronized.',
    lookAlikes: [
      `a node under load: silence counts after ${formatDuration(provenMs)}, and a shorter --deadline gives less`,
      'a runtime that is starting says so: "server is not initialized yet"',
      'a reply that is too large: the runtime answers, and the message does not fit',
      'a socket that this user may not open',
      'the socket of a runtime that nobody uses, or one that an old crictl.yaml names',
      'a network that is not ready: that is the CNI plugin, and the runtime answers',
      'images that are served at a socket of their own',
    ],
    links: [
      'https://github.com/containerd/containerd/issues/12680',
      'https://github.com/kubernetes/kubernetes/issues/61117',
      'https://github.com/kubernetes/kubernetes/issues/45419',
      'https://github.com/cri-o/cri-o/issues/6554',
    ],
  },
  detect: findings,
}

function findings(context: DetectContext): Finding[] {
  const troubles = runtimeTroubles(context)
  if (troubles === undefined) return []
  const {links} = runtimeUnresponsive.explain
  const cause = takeoverOf(runtimeSubject(troubles.answers).path, context.snapshot)
  const about = troubles.calls.length === 0 ? [] : [runtimeFinding(context.snapshot, troubles)]
  return [...about, ...troubles.containers.map((each) => slowContainerFinding(context.snapshot, troubles, each))].map((each) => ({
    ...each,
    cause,
    links,
  }))
}

/** A runtime that nobody names and that is not there is nobody's; silence in a hurry proves nothing. */
function unseen(context: DetectContext): Unseen | undefined {
  const troubles = runtimeTroubles(context)
  const why = troubles && (notThere(troubles) ?? hasty(troubles))
  return why === undefined ? undefined : {source: 'runtime.answers', why}
}

function notThere({answers, calls}: RuntimeTroubles): string | undefined {
  const connect = answers.calls.find(({method}) => method === 'connect')?.outcome
  if (connect?.state !== 'failed' || calls.length > 0) return undefined
  return `${connect.why}, and ${answers.told ? 'that tells nothing of the runtime' : `nobody says that the kubelet uses it (${answers.source})`}`
}

function hasty({unproven: [first, ...others]}: RuntimeTroubles): string | undefined {
  if (first === undefined) return undefined
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return `too early to say whether ${first}${more} will be answered: silence counts after ${formatDuration(provenMs)} (a longer --deadline waits longer)`
}
