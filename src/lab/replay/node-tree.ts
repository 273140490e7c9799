// The root of a node as its bundle tells of it: the kubelet's directory, and of /proc, /sys and /etc what the readers of a live node open.
import {machineNamespace} from '../../node/kernel/whole-machine.ts'
import {known} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import {Tree} from './tree.ts'

/** Ticks of a process's start are counted in these. */
const msPerTick = 10

/** With the raw replies in its readings. @param log where the kubelet's log is to be */
export function nodeTree(bundle: Snapshot, log: string): Tree {
  const tree = new Tree()
  kubeletDirectory(tree, bundle)
  kernel(tree, bundle)
  processes(tree, bundle)
  for (const {path, socket, expiresAt} of known(bundle.readings.takeovers) ?? []) {
    tree.file(path, JSON.stringify({socket, ...(expiresAt !== undefined && {expiresAt: new Date(expiresAt).toISOString()})}), {mode: 0o600})
  }
  tree.file('/etc/hostname', `${bundle.node}\n`)
  tree.file(log, rawOf(bundle, 'kubelet.log'))
  return tree
}

export function rawOf({readings}: Snapshot, name: keyof Snapshot['readings']): string {
  const reading = readings[name]
  return reading.state === 'read' ? (reading.raw ?? '') : ''
}

function kubeletDirectory(tree: Tree, {kubeletRoot, kubeletRootReal, readings}: Snapshot): void {
  const root = kubeletRootReal ?? kubeletRoot
  if (root !== kubeletRoot) tree.link(kubeletRoot, root)
  tree.directory(root)
  for (const {path, type, target = '', mode, modifiedAt} of known(readings['disk.entries']) ?? []) {
    const at = path === '' ? root : `${root}/${path}`
    const facts = {mode, ...(modifiedAt !== undefined && {modifiedAt})}
    if (type === 'directory') tree.directory(at, facts)
    else if (type === 'file') tree.file(at, '', facts)
    else if (type === 'link' && target !== '') tree.link(at, target, facts)
  }
  const volData = known(readings['disk.vol-data']) ?? []
  const modified = new Map((known(readings['disk.entries']) ?? []).map((entry) => [entry.path, entry]))
  for (const {path, data} of volData) {
    const {mode, modifiedAt} = modified.get(path) ?? {}
    const facts = {...(mode !== undefined && {mode}), ...(modifiedAt !== undefined && {modifiedAt})}
    if (!('unreadable' in data)) tree.file(`${root}/${path}`, JSON.stringify(data), facts)
  }
}

function kernel(tree: Tree, {readings}: Snapshot): void {
  // Times of processes are counted from the boot: where nobody knows it, from 1970.
  const {id, at} = known(readings['kernel.boot']) ?? {id: 'unknown', at: 0}
  tree.file('/proc/sys/kernel/random/boot_id', `${id}\n`)
  tree.file('/proc/stat', `btime ${Math.floor(at / 1000)}\n`)
  tree.directory('/sys/dev/block')
  for (const {device, name, backingFile} of known(readings['kernel.devices']) ?? []) {
    tree.link(`/sys/dev/block/${device}`, `../../devices/virtual/block/${name}`)
    tree.directory(`/sys/devices/virtual/block/${name}`)
    if (backingFile !== undefined) tree.file(`/sys/devices/virtual/block/${name}/loop/backing_file`, `${backingFile}\n`)
  }
}

function processes(tree: Tree, bundle: Snapshot): void {
  const {kubeletProcess, kubeletRoot, node, readings} = bundle
  const mountinfo = rawOf(bundle, 'kernel.mounts')
  const bootedAt = known(readings['kernel.boot'])?.at ?? 0
  const process = (pid: number, name: string, state: string, startedAt: number) => {
    const ticks = Math.max(0, Math.round((startedAt - bootedAt) / msPerTick))
    tree.file(`/proc/${pid}/comm`, `${name}\n`)
    tree.file(`/proc/${pid}/stat`, `${pid} (${name}) ${state} ${'0 '.repeat(18)}${ticks} 0\n`)
  }
  process(1, 'init', 'S', bootedAt)
  tree.link('/proc/1/ns/pid', machineNamespace)
  tree.file('/proc/1/mountinfo', mountinfo)
  for (const {pid, state, cgroup, startedAt} of known(readings.processes) ?? []) {
    process(pid, 'container', state, startedAt)
    tree.file(`/proc/${pid}/cgroup`, `0::${cgroup}\n`)
  }
  if (kubeletProcess === undefined) return
  const {pid, program, startedAt = bootedAt} = kubeletProcess
  process(pid, program, 'S', startedAt)
  const args = [program, `--root-dir=${kubeletRoot}`, ...(node === '' ? [] : [`--hostname-override=${node}`])]
  tree.file(`/proc/${pid}/cmdline`, `${args.join('\0')}\0`)
  tree.file(`/proc/${pid}/mountinfo`, mountinfo)
  tree.link(`/proc/${pid}/ns/pid`, machineNamespace)
}
