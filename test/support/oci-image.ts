// An image archive (OCI image layout in a tar) around one static program: images without a registry.
import {Buffer} from 'node:buffer'
import {createHash} from 'node:crypto'
import {type TarEntry, tar} from './tar.ts'

export interface ImageOptions {
  /** With registry and tag, for example 'localhost/busybox:1'. */
  readonly name: string
  readonly busybox: Uint8Array
  readonly command: readonly string[]
}

export interface Image {
  readonly layer: Buffer
  readonly config: Buffer
  readonly manifest: Buffer
}

export interface ImageContent {
  readonly busybox: Uint8Array
  readonly command: readonly string[]
  /** Names beside those that each image has. */
  readonly applets?: readonly string[]
  readonly files?: readonly TarEntry[]
  readonly user?: string
  /** As a first process ignores SIGTERM that it has no handler for, and a stop waits for it. */
  readonly stopSignal?: 'SIGKILL'
}

export const applets: readonly string[] = ['sh', 'sleep', 'true', 'false']

export const manifestType = 'application/vnd.oci.image.manifest.v1+json'

/** Two commands with one busybox are two images, since the command is part of the image. */
export function ociImage({busybox, command, user, stopSignal, applets: more = [], files = []}: ImageContent): Image {
  const layer = tar([
    {name: 'bin/', flag: '5', mode: 0o755},
    {name: 'bin/busybox', content: busybox, mode: 0o755},
    ...[...applets, ...more].map((applet): TarEntry => ({name: `bin/${applet}`, flag: '2', link: 'busybox'})),
    {name: 'tmp/', flag: '5', mode: 0o1777},
    ...files,
  ])
  const config = json({
    architecture: architectures[process.arch] ?? process.arch,
    os: 'linux',
    config: {Cmd: command, Env: ['PATH=/bin'], WorkingDir: '/', User: user, StopSignal: stopSignal},
    rootfs: {type: 'layers', diff_ids: [digest(layer)]},
  })
  const manifest = json({
    schemaVersion: 2,
    mediaType: manifestType,
    config: descriptor('application/vnd.oci.image.config.v1+json', config),
    layers: [descriptor('application/vnd.oci.image.layer.v1.tar', layer)],
  })
  return {layer, config, manifest}
}

/** What `ctr images import` reads. */
export function imageArchive({name, ...content}: ImageOptions): Buffer {
  const image = ociImage(content)
  const index = json({
    schemaVersion: 2,
    manifests: [
      {
        ...descriptor(manifestType, image.manifest),
        annotations: {'io.containerd.image.name': name, 'org.opencontainers.image.ref.name': name.slice(name.lastIndexOf(':') + 1)},
      },
    ],
  })
  return tar([
    {name: 'oci-layout', content: json({imageLayoutVersion: '1.0.0'})},
    {name: 'index.json', content: index},
    ...Object.values(image).map((blob): TarEntry => ({name: `blobs/sha256/${digest(blob).slice(7)}`, content: blob})),
  ])
}

const architectures: Readonly<Record<string, string>> = {x64: 'amd64', arm64: 'arm64'}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}

export function digest(blob: Uint8Array): string {
  return `sha256:${createHash('sha256').update(blob).digest('hex')}`
}

function descriptor(mediaType: string, blob: Uint8Array) {
  return {mediaType, digest: digest(blob), size: blob.length}
}
