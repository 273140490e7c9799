// An image archive (OCI image layout in a tar) around one static program: images without a registry.
import {Buffer} from 'node:buffer'
import {createHash} from 'node:crypto'
import {type TarEntry, tar} from './oci-image-tar.ts'

export interface ImageOptions {
  /** With registry and tag, for example 'localhost/busybox:1'. */
  readonly name: string
  readonly busybox: Uint8Array
  readonly command: readonly string[]
}

const applets = ['sh', 'sleep', 'true', 'false']

/** What `ctr images import` reads. Two names with one busybox are two images, since the command is part of the image. */
export function imageArchive({name, busybox, command}: ImageOptions): Buffer {
  const layer = tar([
    {path: 'bin/', type: 'folder'},
    {path: 'bin/busybox', type: 'file', content: busybox, mode: 0o755},
    ...applets.map((applet): TarEntry => ({path: `bin/${applet}`, type: 'link', target: 'busybox'})),
    {path: 'tmp/', type: 'folder'},
  ])
  const config = json({
    architecture: architectures[process.arch] ?? process.arch,
    os: 'linux',
    config: {Cmd: command, Env: ['PATH=/bin'], WorkingDir: '/'},
    rootfs: {type: 'layers', diff_ids: [digest(layer)]},
  })
  const manifest = json({
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config: descriptor('application/vnd.oci.image.config.v1+json', config),
    layers: [descriptor('application/vnd.oci.image.layer.v1.tar', layer)],
  })
  const index = json({
    schemaVersion: 2,
    manifests: [
      {
        ...descriptor('application/vnd.oci.image.manifest.v1+json', manifest),
        annotations: {'io.containerd.image.name': name, 'org.opencontainers.image.ref.name': name.slice(name.lastIndexOf(':') + 1)},
      },
    ],
  })
  return tar([
    {path: 'oci-layout', type: 'file', content: json({imageLayoutVersion: '1.0.0'})},
    {path: 'index.json', type: 'file', content: index},
    ...[layer, config, manifest].map((blob): TarEntry => ({path: `blobs/sha256/${digest(blob).slice(7)}`, type: 'file', content: blob})),
  ])
}

const architectures: Readonly<Record<string, string>> = {x64: 'amd64', arm64: 'arm64'}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}

function digest(blob: Uint8Array): string {
  return `sha256:${createHash('sha256').update(blob).digest('hex')}`
}

function descriptor(mediaType: string, blob: Uint8Array) {
  return {mediaType, digest: digest(blob), size: blob.length}
}
