// Sources that are files: one look at each place, nothing of it is read.
import type {Host} from '../endpoints/host.ts'
import type {KubeletFacts} from '../kubelet-facts.ts'
import type {NodeRequest} from '../node-request.ts'
import {within} from '../rooted.ts'
import type {SourceName} from '../snapshot.ts'
import {journalFolder} from '../takeover/journal.ts'
import {seesNode} from './rights.ts'
import type {SourceLook} from './source-look.ts'

interface Question {
  readonly request: NodeRequest
  /** Where we run. */
  readonly own: Host
  /** The node. */
  readonly host: Host
  readonly facts: KubeletFacts
}

const elsewhere = 'name it with --kubelet-root; from a container, mount the node and name it with --host-root'

export async function fileLooks({request, own, host, facts}: Question): Promise<readonly SourceLook[]> {
  const {rootDir, root, process} = facts
  const below = (source: SourceName, folder: string) => look(source, host, `${rootDir.value}/${folder}`, elsewhere, root)

  const mountinfo = `/proc/${process?.pid ?? 1}/mountinfo`
  return Promise.all([
    below('disk.entries', 'pods'),
    below('disk.vol-data', 'pods'),
    below('disk.mounts', 'pods'),
    below('csi.registrations', 'plugins_registry'),
    below('csi.drivers', 'plugins'),
    request.mountinfo === undefined
      ? look('kernel.mounts', host, mountinfo, "hostPID shows the node's processes, or --mountinfo names a file")
      : look('kernel.mounts', own, request.mountinfo, 'see --mountinfo'),
    look('kernel.devices', host, '/sys/dev/block', "mount the node's /sys"),
    look('kernel.boot', host, '/proc/sys/kernel/random/boot_id', "mount the node's /proc"),
    processes(own, facts),
    takeovers(host),
  ])
}

async function look(source: SourceName, host: Host, path: string, hint: string, root?: string): Promise<SourceLook> {
  const shown = host.locate(`${root ?? ''}${path}`)
  const code = await codeOf(host, path, root)
  if (code === undefined) return {source, seen: true, why: shown}
  if (code === 'EACCES' || code === 'EPERM') return {source, seen: false, why: `this user may not look at ${shown}`, hint: 'run it as root'}
  return {
    source,
    seen: false,
    why: code === 'ENOENT' || code === 'ENOTDIR' ? `there is no ${shown}` : `${shown} cannot be looked at (${code})`,
    hint,
  }
}

/** Undefined when it is there. */
async function codeOf(host: Host, path: string, root?: string): Promise<string | undefined> {
  try {
    await host.look(root === undefined ? path : await within(host, root, path))
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown'
  }
}

async function processes(own: Host, {process}: KubeletFacts): Promise<SourceLook> {
  // A kubelet that is seen is a node's process; without one, the namespace tells whether there is one to be seen.
  if (process !== undefined || (await seesNode(own))) return {source: 'processes', seen: true, why: '/proc'}
  return {source: 'processes', seen: false, why: "this pid namespace is a container's", hint: "hostPID shows the node's processes"}
}

async function takeovers(host: Host): Promise<SourceLook> {
  // Nothing was ever taken over here, as a rule.
  const code = await codeOf(host, journalFolder)
  const isEmpty = code === undefined && (await host.filesBelow(journalFolder).catch(() => undefined))?.length === 0
  if (code === 'ENOENT' || isEmpty)
    return {source: 'takeovers', seen: true, why: `no journal is in ${journalFolder}: nothing is taken over`}
  return look('takeovers', host, journalFolder, 'run it as root')
}
