// A real containerd of our own: own folder, socket, images and network, and nothing of it left after the end.
import {mkdir, mkdtemp, readFile, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {execa} from 'execa'
import {builtPeers} from './built-peers.ts'
import {bridgeNetwork, containerdConfig, containerdPlaces, pauseImage} from './containerd-config.ts'
import {removeLeftovers} from './containerd-leftovers.ts'
import {type Parts, type Release, requireParts} from './containerd-parts.ts'
import {type Crictl, crictlAt} from './crictl.ts'
import {imageArchive} from './oci-image.ts'
import {until} from './until.ts'

export interface Containerd extends AsyncDisposable {
  readonly folder: string
  readonly endpoint: string
  readonly pid: number
  readonly crictl: Crictl
  /** A parent for the pods' cgroups. */
  readonly cgroup: string
}

export const busyboxImage = 'localhost/busybox:1'

// Two commands make two images of the one busybox.
const images: readonly (readonly [string, readonly string[]])[] = [
  [pauseImage, ['/bin/sleep', '100000000']],
  [busyboxImage, ['/bin/sh']],
]

/**
 * Runtime handlers: runc (the default) and `other`. Images: `busyboxImage`, with a shell.
 * @throws with the end of containerd's log when it does not come up.
 */
export async function startContainerd(release: Release = 'debian'): Promise<Containerd> {
  const parts = await requireParts(release)
  const [crictlBinary = ''] = await builtPeers('crictl')
  // A short name at a short place: see ContainerdPlaces.socket.
  const folder = await mkdtemp(join(tmpdir(), 'limbo-'))
  const places = containerdPlaces(folder)
  for (const each of [places.networks, places.leases]) await mkdir(each)
  await writeFile(places.config, containerdConfig(places, parts.cniPlugins))
  await writeFile(join(places.networks, '10-bridge.conflist'), bridgeNetwork(places))
  const child = execa(parts.containerd, ['--config', places.config], {
    env: {PATH: parts.path},
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: {file: places.log},
    buffer: false,
    reject: false,
  })
  let ended: string | undefined
  const end = child.then((result) => {
    ended = `containerd ended with ${result.exitCode ?? result.signal}`
  })
  const endpoint = `unix://${places.socket}`
  const crictl = crictlAt(crictlBinary, endpoint)
  const stop = async () => {
    // First by containerd itself, so that the network plugins give back what they gave out.
    await crictl('rmp', '--all', '--force').catch(() => {})
    child.kill('SIGTERM')
    await end
    await removeLeftovers(folder, places)
  }
  try {
    await until(async () => {
      if (ended !== undefined) throw new Error(ended)
      await crictl('version')
    })
    await importImages(parts, places.socket, folder)
    await until(async () => {
      const known = (await crictl('images', '--quiet')).split('\n').length
      if (known < images.length) throw new Error('containerd has not taken the images into its CRI store')
    })
  } catch (error) {
    const log = await readFile(places.log, 'utf8').catch(() => '')
    await stop()
    throw new Error(`Cannot start containerd: its log ends with\n${log.split('\n').slice(-20).join('\n')}`, {cause: error})
  }
  return {folder, endpoint, pid: child.pid ?? 0, crictl, cgroup: places.cgroup, [Symbol.asyncDispose]: stop}
}

// Not unpacked: containerd 2's ctr would only unpack for a snapshotter that its transfer service names, and CRI unpacks what it needs.
async function importImages({ctr, busybox}: Parts, socket: string, folder: string): Promise<void> {
  const content = await readFile(busybox)
  for (const [name, command] of images) {
    const archive = join(folder, 'image.tar')
    await writeFile(archive, imageArchive({name, busybox: content, command}))
    await execa(ctr, ['--address', socket, '--namespace', 'k8s.io', 'images', 'import', '--no-unpack', archive])
  }
}
