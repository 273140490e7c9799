// What a containerd leaves behind, found by the folder it ran in: shims, containers, mounts, sockets of shims, a bridge, cgroups.
import {readdir, readFile, rm, rmdir} from 'node:fs/promises'
import {join} from 'node:path'
import {execa} from 'execa'
import type {ContainerdPlaces} from './containerd-config.ts'

export interface Leftovers {
  readonly shims: readonly number[]
  readonly mounts: readonly string[]
}

// The network plugins' library remembers here what it set up, and forgets it when it takes it down.
const cniResults = '/var/lib/cni/results'

/** The processes and mounts that still belong to a containerd's folder. */
export async function findLeftovers(folder: string): Promise<Leftovers> {
  return {shims: await shimsOf(folder), mounts: await mountsBelow(folder)}
}

/** Ends and removes everything that belongs to the folder, and the folder. containerd itself must have ended. */
export async function removeLeftovers(folder: string, places: ContainerdPlaces): Promise<void> {
  const bundles = join(places.state, 'io.containerd.runtime.v2.task/k8s.io')
  const ids = await readdir(bundles).catch(() => [])
  // containerd 1.6 names a shim's socket in `address`, 2.x in `bootstrap.json`.
  const texts = ids.flatMap((id) => ['address', 'bootstrap.json'].map((name) => readFile(join(bundles, id, name), 'utf8').catch(() => '')))
  const sockets = (await Promise.all(texts)).flatMap((text) => /unix:\/\/(\/[^"\s]+)/.exec(text)?.[1] ?? [])
  const containers = await Promise.all(ids.map((id) => readFile(join(bundles, id, 'init.pid'), 'utf8').catch(() => '')))
  for (const pid of [...(await shimsOf(folder)), ...containers.map(Number)]) end(pid)
  // The deepest first: a mount point cannot go before what is mounted below it.
  for (const mount of (await mountsBelow(folder)).toReversed()) await execa('umount', ['-l', mount], {reject: false})
  // containerd puts the sockets of shims into /run/containerd/s whatever its state folder is.
  for (const socket of sockets) await rm(socket, {force: true})
  await execa('ip', ['link', 'delete', places.bridge], {reject: false})
  for (const name of await readdir(cniResults).catch(() => [])) {
    if (ids.some((id) => name.includes(id))) await rm(join(cniResults, name), {force: true})
  }
  await removeCgroups(places.cgroup)
  await rm(folder, {recursive: true, force: true})
}

async function shimsOf(folder: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(pids.map(async (pid) => ({pid, line: await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')})))
  return lines.filter(({line}) => line.includes('containerd-shim') && line.includes(`${folder}/`)).map(({pid}) => Number(pid))
}

async function mountsBelow(folder: string): Promise<string[]> {
  const lines = (await readFile('/proc/self/mountinfo', 'utf8')).split('\n')
  return lines.map((line) => line.split(' ')[4] ?? '').filter((path) => path.startsWith(`${folder}/`))
}

function end(pid: number): void {
  try {
    if (pid > 1) process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself.
  }
}

async function removeCgroups(cgroup: string): Promise<void> {
  const top = '/sys/fs/cgroup'
  const controllers = await readdir(top).catch(() => [])
  for (const folder of [join(top, cgroup), ...controllers.map((controller) => join(top, controller, cgroup))]) {
    const below = await readdir(folder, {recursive: true, withFileTypes: true}).catch(() => [])
    const folders = below.filter((entry) => entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name))
    for (const each of [...folders.toReversed(), folder]) await rmdir(each).catch(() => {})
  }
}
