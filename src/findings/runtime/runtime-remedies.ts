// Next steps about a container runtime: which unit it is depends on who brought it.
import type {RuntimeAnswers} from '../../node/runtime/answers.ts'
import type {Remedy} from '../finding.ts'

/** Its name where Version was answered, else what its socket's path says. */
function isCrio({name, endpoint}: Pick<RuntimeAnswers, 'name' | 'endpoint'>): boolean {
  return name === undefined ? endpoint.includes('crio') : /^cri-?o$/i.test(name)
}

/** What a person restarts. A distribution that brings its own runtime starts it with everything else. */
function unitOf({name, endpoint}: Pick<RuntimeAnswers, 'name' | 'endpoint'>): string {
  if (endpoint.includes('/k3s/')) return 'k3s'
  if (endpoint.includes('/k0s/')) return 'k0sworker'
  if (endpoint.includes('/microk8s/')) return 'snap.microk8s.daemon-containerd'
  if (name === 'docker' || endpoint.includes('cri-dockerd')) return 'cri-docker'
  return isCrio({...(name !== undefined && {name}), endpoint}) ? 'crio' : 'containerd'
}

const ofDistribution: Readonly<Record<string, string>> = {
  k3s: '; the unit may be called k3s-agent, rke2-server or rke2-agent',
  k0sworker: '; on a controller the unit is k0scontroller',
}

export function restartRuntime(answers: Pick<RuntimeAnswers, 'name' | 'endpoint'> | undefined, why: string): Remedy {
  const unit = answers === undefined ? 'containerd' : unitOf(answers)
  const whose = answers === undefined ? '; where that is not the runtime, its own unit' : (ofDistribution[unit] ?? '')
  return {command: `systemctl restart ${unit}`, why: `${why}; containers run on meanwhile${whose}`, loses: null}
}

/** Both write the stacks of all of their threads: containerd into its log, CRI-O into a file below /tmp. */
export function dumpStacks(answers: Pick<RuntimeAnswers, 'name' | 'endpoint'>): Remedy {
  const program = isCrio(answers) ? 'crio' : 'containerd'
  return {
    command: `kill -USR1 $(pidof ${program})`,
    why: `before anything else: it writes the stacks of its threads ${program === 'crio' ? 'to a file below /tmp' : 'to its log'}, which show where it hangs`,
    loses: null,
  }
}
