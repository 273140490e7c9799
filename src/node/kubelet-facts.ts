// What this node's kubelet is: its process, its root directory, its ports, its files; each with how we know.
import type {Host} from './endpoints/host.ts'
import {findKubelets, type KubeletProcess} from './endpoints/kubelet-process.ts'
import {distributions} from './kubelet-facts/distributions.ts'
import type {Fact} from './kubelet-facts/fact.ts'
import {type LogPlaces, logPlacesOf} from './kubelet-facts/log-places.ts'
import {nodeNameOf} from './kubelet-facts/node-name.ts'
import {type KubeletPorts, portsOf} from './kubelet-facts/ports.ts'
import {rootDirOf} from './kubelet-facts/root-dir.ts'
import {type KubeletSettings, noSettings, settingsOf} from './kubelet-facts/settings.ts'
import type {NodeRequest} from './node-request.ts'
import {realPath} from './rooted.ts'

export interface KubeletFacts {
  /** Undefined when none was seen to run. */
  readonly process: Pick<KubeletProcess, 'pid' | 'program'> | undefined
  /** Its settings were read, and one that is not there means the kubelet's default. */
  readonly certain: boolean
  /** What to put before a path of the kubelet's to open it: '', or '/proc/PID/root' when its mount namespace is not ours. */
  readonly root: string
  /** As the kubelet sees it: absolute, without a slash at its end. */
  readonly rootDir: Fact<string>
  /** The same with links resolved, when that is another path. */
  readonly rootDirReal: string | undefined
  /** '' when nothing says it. */
  readonly node: Fact<string>
  /** The one that the kubelet was told to use. */
  readonly kubeconfig: Fact<string> | undefined
  readonly ports: KubeletPorts
  /** What the kubelet may show when it is called: files with its serving certificate. */
  readonly servingCertificates: readonly string[]
  readonly log: LogPlaces
  /** What a person should know: several kubelets, settings that cannot be read. */
  readonly notes: readonly string[]
}

/** @throws UserError for what is wrong with the request. */
export async function findKubelet(host: Host, {kubeletRoot}: Pick<NodeRequest, 'kubeletRoot'> = {}): Promise<KubeletFacts> {
  const kubelets = (await findKubelets(host)).filter(isKubelet)
  // One of another mount namespace is another node's (kind), as long as there is one in ours.
  const running = kubelets.find(({root}) => root === '') ?? kubelets[0]
  const settings = running === undefined ? noSettings : await settingsOf(host, running)
  const root = running?.root ?? ''
  const certDir = settings.flag('cert-dir')?.value ?? '/var/lib/kubelet/pki'
  const certificates = new Set([`${certDir}/kubelet-client-current.pem`, ...distributions.map(({client}) => client.cert)])
  const [rootDir, node, log] = await Promise.all([
    rootDirOf({host, root, given: kubeletRoot, running, settings}),
    nodeNameOf({host, root, override: settings.flag('hostname-override'), certificates: [...certificates]}),
    logPlacesOf(host, running?.pid, settings),
  ])
  const real = await realPath(host, root, rootDir.value).catch(() => rootDir.value)
  return {
    process: running && {pid: running.pid, program: running.program},
    certain: running?.certain === true && settings.problem === undefined,
    root,
    rootDir,
    rootDirReal: real === rootDir.value ? undefined : real,
    node,
    kubeconfig: settings.flag('kubeconfig'),
    ports: portsOf(settings, running),
    servingCertificates: servingCertificates(settings, certDir),
    log,
    notes: notesOn(kubelets, running, settings),
  }
}

/** What is called kubelet-something may be another program: it must have a flag that only a kubelet has. */
function isKubelet({program, args}: KubeletProcess): boolean {
  return (
    ['kubelet', 'kubelite', 'hyperkube', 'k3s'].includes(program) ||
    args.some((arg) => /^--(root-dir|config-dir|container-runtime-endpoint|bootstrap-kubeconfig|cgroup-driver)\b/.test(arg))
  )
}

function servingCertificates(settings: KubeletSettings, certDir: string): readonly string[] {
  const told = settings.setting('tlsCertFile')?.value
  if (told) return [told]
  const usual = distributions.flatMap((distribution) => distribution.servingCertificates)
  return [...new Set([`${certDir}/kubelet.crt`, `${certDir}/kubelet-server-current.pem`, ...usual])]
}

function notesOn(kubelets: readonly KubeletProcess[], taken: KubeletProcess | undefined, {problem}: KubeletSettings): readonly string[] {
  const pids = kubelets.map(({pid}) => pid)
  return [
    ...(pids.length > 1 ? [`${pids.length} kubelets run here (pids ${pids.join(', ')}): this is about pid ${taken?.pid}`] : []),
    ...(problem === undefined ? [] : [problem]),
  ]
}
