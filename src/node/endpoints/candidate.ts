// A socket that may be the container runtime's, who says so, and what became of it.
import type {RuntimeVersion} from '../../wire/cri-client.ts'
import type {FailureKind} from '../../wire/rpc-failure.ts'

/** The first tier that has something to say decides; conventions of crictl first, then what the kubelet does, then the usual places. */
type Tier = 'explicit' | 'kubelet' | 'usual'

export interface Candidate {
  /** As it is written at its source. */
  readonly text: string
  /** Where it is written: '--runtime-endpoint', '/etc/crictl.yaml:1', 'kubelet (pid 812)'. */
  readonly source: string
  readonly tier: Tier
  /** A guess that is dropped without a word when there is no such socket. */
  readonly guess?: boolean
  /** Where the root of the kubelet lies that runs in a mount namespace of its own: '/proc/812/root'. */
  readonly root?: string
}

export interface Probed extends Candidate {
  /** 'unix:///run/x.sock'; the text where it is no address. */
  readonly endpoint: string
  readonly outcome: Outcome
}

type Outcome =
  | {readonly state: 'answers'; readonly runtime: RuntimeVersion}
  | {readonly state: 'rejected'; readonly why: string; readonly kind?: FailureKind}
  /** Another name of a candidate before it. */
  | {readonly state: 'same'; readonly as: string}
  | {readonly state: 'not tried'; readonly why: string}
