// What a containerd leaves behind, found by the folder it ran in: shims, containers, mounts, loop devices, sockets of shims, a bridge, cgroups.
import {existsSync} from 'node:fs'
import {readdir, readFile, rm, rmdir} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {execa} from 'execa'
import {type ContainerdPlaces, containerdPlaces, folderPrefix} from './containerd-config.ts'
import {detachLoopsBelow} from './loop-devices.ts'
import {until} from './until.ts'

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

/** Removes what runs left behind that were themselves killed. */
export async function removeAbandoned(): Promise<void> {
  for (const name of (await readdir(tmpdir())).filter((each) => each.startsWith(folderPrefix))) {
    const folder = join(tmpdir(), name)
    const places = containerdPlaces(folder)
    const owner = await readFile(places.owner, 'utf8').catch(() => '')
    if (owner === '' || existsSync(`/proc/${owner}`)) continue
    for (const pid of await pidsWhose('cmdline', (line) => line.includes(`${folder}/`))) end(pid)
    await removeLeftovers(folder, places)
  }
}

/** Ends and removes everything that belongs to the folder, and the folder. containerd itself must have ended. */
export async function removeLeftovers(folder: string, places: ContainerdPlaces): Promise<void> {
  const bundles = join(places.state, 'io.containerd.runtime.v2.task/k8s.io')
  const ids = await readdir(bundles).catch(() => [])
  // containerd 1.6 names a shim's socket in `address`, 2.x in `bootstrap.json`.
  const texts = ids.flatMap((id) => ['address', 'bootstrap.json'].map((name) => readFile(join(bundles, id, name), 'utf8').catch(() => '')))
  const sockets = (await Promise.all(texts)).flatMap((text) => /unix:\/\/(\/[^"\s]+)/.exec(text)?.[1] ?? [])
  for (const pid of await shimsOf(folder)) end(pid)
  // Of a shim that was killed the containers run on.
  for (const pid of await pidsWhose('cgroup', (text) => text.includes(`${places.cgroup}/`))) end(pid)
  // A loop device may stand on a file below a mount point.
  await detachLoopsBelow(folder)
  // The deepest first: a mount point cannot go before what is mounted below it.
  for (const mount of (await mountsBelow(folder)).toReversed()) await execa('umount', ['-l', mount], {reject: false})
  // containerd puts the sockets of shims into /run/containerd/s whatever its state folder is.
  for (const socket of sockets) await rm(socket, {force: true})
  await execa('ip', ['link', 'delete', places.bridge], {reject: false})
  for (const name of await readdir(cniResults).catch(() => [])) {
    if (ids.some((id) => name.includes(id))) await rm(join(cniResults, name), {force: true})
  }
  // A killed process leaves its cgroup a moment later.
  await until(() => removeCgroups(places.cgroup))
  await rm(folder, {recursive: true, force: true})
}

function shimsOf(folder: string): Promise<number[]> {
  return pidsWhose('cmdline', (line) => line.includes('containerd-shim') && line.includes(`${folder}/`))
}

async function pidsWhose(file: 'cmdline' | 'cgroup', matches: (text: string) => boolean): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const texts = await Promise.all(pids.map(async (pid) => ({pid, text: await readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')})))
  return texts.filter(({text}) => matches(text)).map(({pid}) => Number(pid))
}

async function mountsBelow(folder: string): Promise<string[]> {
  const lines = (await readFile('/proc/self/mountinfo', 'utf8')).split('\n')
  return lines.map((line) => line.split(' ')[4] ?? '').filter((path) => path.startsWith(`${folder}/`))
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself.
  }
}

/** @throws when one is still in use. */
async function removeCgroups(cgroup: string): Promise<void> {
  const top = '/sys/fs/cgroup'
  const controllers = await readdir(top).catch(() => [])
  for (const folder of [join(top, cgroup), ...controllers.map((controller) => join(top, controller, cgroup))].filter(existsSync)) {
    const below = await readdir(folder, {recursive: true, withFileTypes: true})
    const folders = below.filter((entry) => entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name))
    for (const each of [...folders.toSorted().toReversed(), folder]) await rmdir(each)
  }
}
