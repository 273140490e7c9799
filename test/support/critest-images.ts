// The images that critest asks for by names of registries that cannot be reached: all are busybox, from a registry of our own on loopback.
import {mkdir, readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {execa} from 'execa'
import type {Containerd} from './containerd.ts'
import {containerdPlaces} from './containerd-config.ts'
import {requireParts} from './containerd-parts.ts'
import {type ImageRegistry, imageRegistry, onlyHost} from './image-registry.ts'
import {applets, ociImage} from './oci-image.ts'
import type {TarEntry} from './tar.ts'

/** As whom an image of cri-tools' images/ runs. */
const users: Readonly<Record<string, string>> = {
  'test-image-user-uid': '1002',
  'test-image-user-username': 'www-data',
  'test-image-user-uid-group': '1003:1',
  'test-image-user-username-group': 'www-data:www-data',
}

const files: readonly TarEntry[] = [
  {name: 'etc/', flag: '5', mode: 0o755},
  {name: 'etc/passwd', content: 'root:x:0:0:root:/root:/bin/sh\nwww-data:x:33:33::/:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n'},
  {name: 'etc/group', content: 'root:x:0:\nwww-data:x:33:\nnogroup:x:65534:\n'},
  {name: 'root/', flag: '5', mode: 0o755},
]

/** From now on the runtime pulls whatever it is asked to, from the registry alone. */
export async function serveCritestImages(rig: Containerd): Promise<ImageRegistry> {
  const parts = await requireParts('debian')
  const busybox = await readFile(parts.busybox)
  const {stdout} = await execa(parts.busybox, ['--list'])
  const others = stdout.split('\n').filter((applet) => applet !== 'busybox' && !applets.includes(applet))
  const registry = await imageRegistry((repository) => {
    const user = users[repository.slice(repository.lastIndexOf('/') + 1)]
    const command = ['/bin/sh', '-c', `: ${repository}; sleep 100000000`]
    return ociImage({busybox, command, applets: others, files, stopSignal: 'SIGKILL', ...(user === undefined ? {} : {user})})
  })
  const folder = join(containerdPlaces(rig.folder).registries, '_default')
  await mkdir(folder, {recursive: true})
  await writeFile(join(folder, 'hosts.toml'), onlyHost(registry))
  return registry
}
