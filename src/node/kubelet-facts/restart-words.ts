// How the kubelet of this node is restarted: by whoever started it. Nothing here does it.
import type {KubeletFacts} from '../kubelet-facts.ts'

export interface KubeletRestart {
  /** For a shell; absent where none is known, or where a restart would not help. */
  readonly command?: string
  /** Why, or what else. */
  readonly words: string
  /** Nobody knows of one that runs. */
  readonly unseen?: true
}

export function kubeletRestart({process, log}: Pick<KubeletFacts, 'process' | 'log'>): KubeletRestart {
  if (process === undefined) return {words: 'no kubelet was seen to run here', unseen: true}
  const {pid, program} = process
  const [unit = ''] = log.units.why === `the cgroup of pid ${pid}` ? log.units.value : []
  const who = `${program}, process ${pid}`
  // k3s has its containerd and its kubelet in one life (pkg/daemons/agent).
  if (program === 'k3s')
    return {
      words: `the kubelet runs inside ${who}: a restart of k3s ends its containerd, too, and the takeover with it; start k3s with --container-runtime-endpoint instead`,
    }
  if (unit === '') return {words: `it is ${who}, which no unit of systemd has: restart it as it was started`}
  if (program !== 'kubelet' || /kubelet/.test(unit))
    return {command: `systemctl restart ${unit}`, words: `it is ${who}, of the unit ${unit}`}
  // rke2 and k0s start it anew, and a restart of their units would end the runtime as well.
  return {command: `kill ${pid}`, words: `it is ${who}, and ${unit} starts it anew`}
}
