// Which of the probed sockets is the kubelet's runtime. It is never guessed: two that answer and nothing that decides is an error.
import {UserError} from '../../base/errors.ts'
import {exitCodes} from '../../base/exit-codes.ts'
import type {Candidate, Probed} from './candidate.ts'

/** @returns the endpoint to use, or why there is none. */
export function choose(probed: readonly Probed[]): Probed | UserError {
  const deciding = decidingTier(probed)
  const answering = deciding.filter(({outcome}) => outcome.state === 'answers')
  const [only, second] = answering
  if (only && !second) return only
  if (only) return ambiguous(answering)
  return nothing(deciding)
}

/** The first tier with more than guesses that came to nothing; the last one if there is none. */
function decidingTier(probed: readonly Probed[]): readonly Probed[] {
  for (const tier of ['explicit', 'kubelet'] satisfies Candidate['tier'][]) {
    const members = probed.filter((candidate) => candidate.tier === tier && !isVain(candidate))
    if (members.length > 0) return members
  }
  return probed.filter(({tier}) => tier === 'usual')
}

/** A guess says nothing where there is no such socket. */
export function isVain({guess, outcome}: Probed): boolean {
  return guess === true && outcome.state === 'rejected' && outcome.kind === 'missing'
}

function ambiguous(answering: readonly Probed[]): UserError {
  const list = answering.map(
    ({endpoint, source, outcome}) => `${endpoint} (${outcome.state === 'answers' ? outcome.runtime.name : ''}, ${source})`,
  )
  return new UserError(
    `Cannot tell which container runtime the kubelet uses as one must be named when several answer: these do: ${list.join(' and ')}`,
    {
      hint: `name it: -r ${answering[0]?.endpoint}`,
      exit: exitCodes.blind,
    },
  )
}

function nothing(deciding: readonly Probed[]): UserError {
  const telling = deciding.filter((candidate) => candidate.outcome.state === 'rejected' && !isVain(candidate))
  const problems = telling.map(
    ({endpoint, source, outcome}) => `${endpoint} (${source}): ${outcome.state === 'rejected' ? outcome.why : ''}`,
  )
  const [first] = telling
  if (!first) {
    return new UserError('Cannot find a container runtime as one must listen on a socket: there is none in the usual places', {
      hint: 'name its socket: -r unix:///run/containerd/containerd.sock; `kubelimbo endpoints` shows where we looked',
      exit: exitCodes.blind,
    })
  }
  return new UserError(`Cannot reach the container runtime: ${problems.join('; ')}`, {hint: hintFor(first), exit: exitCodes.blind})
}

function hintFor({outcome, endpoint}: Probed): string {
  switch (outcome.state === 'rejected' ? outcome.kind : undefined) {
    case 'forbidden':
      return 'run it as root'
    case 'refused':
    case 'missing':
      return 'see whether the runtime runs: systemctl status containerd crio'
    case 'silent':
      return 'the runtime hangs or the node is overloaded: a longer --timeout may help, else see its log'
    case 'no-service':
      return "containerd serves no CRI when 'cri' is in disabled_plugins of its config.toml"
    case 'answered':
      return 'the runtime may still be starting: try again in a moment'
    default:
      return `see who listens there: ss -xlp | grep ${endpoint.replace(/^unix:(\/\/)?/, '')}`
  }
}
