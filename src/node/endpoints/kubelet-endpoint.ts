// Which socket a kubelet uses: its flag, else its configuration file and the drop-ins over it, else its default.
import type {Candidate} from './candidate.ts'
import type {Host} from './host.ts'
import {findKubelets, type KubeletProcess, lastFlag} from './kubelet-process.ts'

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

type Setting = Pick<Candidate, 'text' | 'source'>

/** A drop-in wins over the file, and a later drop-in over an earlier one (cmd/kubelet/app/server.go, mergeKubeletConfigurations). */
async function fromFiles(host: Host, {args, pid, root}: KubeletProcess): Promise<Setting | 'unreadable' | undefined> {
  const within = (path: string) => (path.startsWith('/') ? `${root}${path}` : `/proc/${pid}/cwd/${path}`)
  const config = lastFlag(args, 'config')
  const folder = lastFlag(args, 'config-dir')
  try {
    const dropIns = folder ? await host.filesBelow(within(folder)) : []
    const files = [...(config ? [within(config)] : []), ...dropIns.filter((path) => path.endsWith('.conf'))]
    const found = await Promise.all(files.map((path) => endpointIn(host, path)))
    return found.findLast((endpoint) => endpoint !== undefined)
  } catch {
    return 'unreadable'
  }
}

/** @throws when the file cannot be read or is no YAML: nobody knows then what the kubelet read. */
async function endpointIn(host: Host, path: string): Promise<Setting | undefined> {
  const text = await host.readText(path)
  // Most files do not have it, and most of the time is then the parser's.
  if (!text.includes('containerRuntimeEndpoint')) return undefined
  const {isMap, isScalar, LineCounter, parseDocument} = await import('yaml')
  const lines = new LineCounter()
  const {contents, errors} = parseDocument(text, {lineCounter: lines})
  if (errors[0]) throw errors[0]
  if (!isMap(contents)) return undefined
  const pair = contents.items.find(({key}) => isScalar(key) && key.value === 'containerRuntimeEndpoint')
  if (!isScalar(pair?.value) || typeof pair.value.value !== 'string' || pair.value.value === '') return undefined
  return {text: pair.value.value, source: `${path}:${lines.linePos(pair.value.range?.[0] ?? 0).line}`}
}
