// A kubelet's settings: its flags first, as they win over the configuration file, then the files, the last one first.
import type {Host} from '../endpoints/host.ts'
import {configFiles, settingsIn} from '../endpoints/kubelet-config.ts'
import {type KubeletProcess, lastFlag} from '../endpoints/kubelet-process.ts'
import {within} from '../rooted.ts'
import type {Fact} from './fact.ts'

/** Their flags: the same words with dashes. */
const keys = ['readOnlyPort', 'port', 'healthzPort', 'address', 'healthzBindAddress', 'tlsCertFile'] as const
type Key = (typeof keys)[number]

export interface KubeletSettings {
  flag(name: string): Fact<string> | undefined
  setting(key: Key): Fact<string> | undefined
  /** The kubelet reads a configuration file, whose defaults are stricter than those of the flags. */
  readonly hasConfig: boolean
  /** Why the files say nothing here. */
  readonly problem?: string
}

export const noSettings: KubeletSettings = {flag: () => undefined, setting: () => undefined, hasConfig: false}

export async function settingsOf(host: Host, kubelet: KubeletProcess): Promise<KubeletSettings> {
  const args = [...kubelet.args, ...kubeletArgs(kubelet.args)]
  const who = `the command line of ${kubelet.program} (pid ${kubelet.pid})`
  const rancher = kubelet.program === 'k3s' ? await rancherFlags(host, kubelet.root) : new Map<string, Fact<string>>()
  const flag = (name: string) => {
    const value = lastFlag(args, name)
    return value ? {value, why: who} : rancher.get(name)
  }
  const {found, problem} = await fromFiles(host, kubelet)
  return {
    flag,
    setting: (key) => flag(dashed(key)) ?? found.get(key),
    hasConfig: lastFlag(args, 'config') !== undefined || lastFlag(args, 'config-dir') !== undefined,
    ...(problem !== undefined && {problem}),
  }
}

async function fromFiles(host: Host, kubelet: KubeletProcess): Promise<{found: ReadonlyMap<string, Fact<string>>; problem?: string}> {
  try {
    const files = await configFiles(host, kubelet)
    const read = await Promise.all(files.map((path) => settingsIn(host, path, keys)))
    const pairs = read.flatMap((settings) =>
      [...settings].map(([key, {value, source}]) => [key, {value: String(value), why: source}] as const),
    )
    return {found: new Map(pairs)}
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException
    // A parser's message may quote the file.
    return {found: new Map(), problem: `the kubelet's configuration cannot be read (${code ?? 'it is no YAML'})`}
  }
}

/** k3s hands `--kubelet-arg=root-dir=/x` on. */
function kubeletArgs(args: readonly string[]): readonly string[] {
  return args.flatMap((arg, index) => {
    if (arg.startsWith('--kubelet-arg=')) return [`--${arg.slice('--kubelet-arg='.length)}`]
    return arg === '--kubelet-arg' && args[index + 1] !== undefined ? [`--${args[index + 1]}`] : []
  })
}

/** k3s blanks its command line; what people set stands in its configuration file. */
async function rancherFlags(host: Host, root: string): Promise<ReadonlyMap<string, Fact<string>>> {
  const path = '/etc/rancher/k3s/config.yaml'
  try {
    const {parse} = await import('yaml')
    const config = parse(await host.readText(await within(host, root, path)))
    const given: unknown[] = [config?.['kubelet-arg']].flat()
    const args = given.filter((arg) => typeof arg === 'string').map((arg) => arg.replace(/^--/, '').split(/=(.*)/s))
    const name = config?.['node-name']
    const all = [...args, ...(typeof name === 'string' ? [['hostname-override', name]] : [])]
    return new Map(all.flatMap(([key, value]) => (key && value ? [[key, {value, why: path}] as const] : [])))
  } catch {
    return new Map()
  }
}

function dashed(key: Key): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
