// Who we are on this machine: user, capabilities, namespaces, tools.
import type {Host} from '../endpoints/host.ts'
import type {KubeletFacts} from '../kubelet-facts.ts'
import type {Told} from './told.ts'

/** Bits of linux/capability.h, and what we need each for. root has them all, unless a container took them away. */
const capabilities = [
  ['CAP_DAC_READ_SEARCH', 2, "the kubelet's directories and sockets"],
  ['CAP_DAC_OVERRIDE', 1, "the kubelet's directories and sockets, without CAP_DAC_READ_SEARCH"],
  ['CAP_SYS_PTRACE', 19, "other processes' namespaces and roots"],
] as const

/** @param own where we run; @param host the node, which may be mounted somewhere. */
export async function rightsOf(own: Host, host: Host, {root, process}: Pick<KubeletFacts, 'root' | 'process'>): Promise<readonly Told[]> {
  const status = await own.readText('/proc/self/status').catch(() => '')
  const uid = /^Uid:\s+\d+\s+(\d+)/m.exec(status)?.[1]
  const effective = BigInt(`0x${/^CapEff:\s+([\da-f]+)/m.exec(status)?.[1] ?? '0'}`)
  const kubelets =
    process === undefined
      ? 'no kubelet was seen to compare it with'
      : root === ''
        ? "not known to be another than the kubelet's"
        : `not the kubelet's: its paths go through ${root}`
  return [
    {name: 'user', value: uid ?? 'unknown', why: uid === '0' ? 'root' : 'most of a node is for root only'},
    ...capabilities.map(([name, bit, use]) => ({name, value: (effective >> BigInt(bit)) & 1n ? 'yes' : 'no', why: use})),
    {name: 'mount namespace', value: await linkOr(own, '/proc/self/ns/mnt'), why: kubelets},
    {
      name: 'pid namespace',
      value: await linkOr(own, '/proc/self/ns/pid'),
      why: (await seesNode(own)) ? "the node's" : "a container's: hostPID shows the node's processes",
    },
    {name: "the node's root", value: host.locate('/'), why: host.locate('/') === '/' ? 'ours' : '--host-root'},
    {name: 'journalctl', value: (await programIn(own, 'journalctl')) ?? 'none', why: "the kubelet's log, where it is in the journal"},
  ]
}

/** PROC_PID_INIT_INO of linux/proc_ns.h: the first pid namespace of a machine has that number, always. */
export async function seesNode(own: Host): Promise<boolean> {
  return (await linkOr(own, '/proc/self/ns/pid')) === `pid:[${0xef_ff_ff_fc}]`
}

async function linkOr(host: Host, path: string): Promise<string> {
  return host.readLink(path).catch(() => 'unknown')
}

async function programIn(host: Host, name: string): Promise<string | undefined> {
  for (const folder of (host.env.PATH ?? '').split(':').filter((path) => path.startsWith('/'))) {
    const there = await host.look(`${folder}/${name}`).catch(() => undefined)
    if (there !== undefined) return `${folder}/${name}`
  }
  return undefined
}
