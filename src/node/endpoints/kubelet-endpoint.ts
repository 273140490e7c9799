// Which socket a kubelet uses: its flag, else its configuration file and the drop-ins over it, else its default.
import type {Candidate} from './candidate.ts'
import type {Host} from './host.ts'
import {configFiles, settingsIn} from './kubelet-config.ts'
import {findKubelets, type KubeletProcess, lastFlag} from './kubelet-process.ts'

const key = 'containerRuntimeEndpoint'
/** pkg/kubelet/apis/config/v1beta1/defaults.go; before 1.27 the flag had to be given. */
const kubeletDefault = 'unix:///run/containerd/containerd.sock'
/** k3s runs the kubelet inside its own process and containerd beside it. */
const k3sDefault = 'unix:///run/k3s/containerd/containerd.sock'

export async function kubeletCandidates(host: Host): Promise<readonly Candidate[]> {
  return Promise.all((await findKubelets(host)).map((kubelet) => candidateOf(host, kubelet))).then((found) => found.flat())
}

async function candidateOf(host: Host, kubelet: KubeletProcess): Promise<readonly Candidate[]> {
  const {args, program, pid, root, certain} = kubelet
  const common = {tier: 'kubelet', ...(root && {root})} as const
  const who = `${program} (pid ${pid})`
  const flag = lastFlag(args, 'container-runtime-endpoint')
  if (flag) return [{...common, text: flag, source: `the command line of ${who}`}]
  const configured = await fromFiles(host, kubelet)
  if (configured === 'unreadable') return []
  if (configured) return [{...common, ...configured}]
  if (program === 'k3s') return [{...common, text: k3sDefault, source: who}]
  return certain ? [{...common, text: kubeletDefault, source: `the default of ${who}`, guess: true}] : []
}

async function fromFiles(host: Host, kubelet: KubeletProcess): Promise<Pick<Candidate, 'text' | 'source'> | 'unreadable' | undefined> {
  try {
    const files = await configFiles(host, kubelet)
    const found = await Promise.all(files.map(async (path) => (await settingsIn(host, path, [key])).get(key)))
    const last = found.findLast((setting) => typeof setting?.value === 'string' && setting.value !== '')
    return last && {text: String(last.value), source: last.source}
  } catch {
    return 'unreadable'
  }
}
