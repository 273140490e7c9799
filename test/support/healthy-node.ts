// A healthy node of real parts: containerd, a CSI driver, the miniature kubelet, and three pods: a filesystem, a raw block, an inline volume.
import {randomUUID} from 'node:crypto'
import {mkdir} from 'node:fs/promises'
import {join} from 'node:path'
import {type Containerd, startContainerd} from './containerd.ts'
import type {Release} from './containerd-parts.ts'
import {type CsiBind, startCsiBind} from './csi-bind.ts'
import {createVolume, deleteVolume} from './csi-calls.ts'
import {type MiniatureNode, type RunningPod, startMiniatureNode} from './miniature-node.ts'
import {nodeName} from './node-pods.ts'

export interface HealthyNode extends AsyncDisposable {
  readonly containerd: Containerd
  /** The newest. */
  readonly driver: CsiBind
  readonly kubelet: MiniatureNode
  readonly web: RunningPod
  readonly block: RunningPod
  readonly inline: RunningPod
  /** After its end: it knows its volumes. Resolves when the kubelet has registered it again. */
  restartDriver(): Promise<void>
  /** What tells kubelimbo of the node: where no kubelet runs, nothing else says the node's name. */
  readonly flags: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

export interface HealthyNodeOptions {
  readonly release?: Release
  /** How long ago the kubelet says that it started. */
  readonly upMs?: number
}

export async function startHealthyNode({release, upMs}: HealthyNodeOptions = {}): Promise<HealthyNode> {
  await using started = new AsyncDisposableStack()
  const containerd = started.use(await startContainerd(release))
  // Below containerd's folder: what a killed run leaves behind goes with it.
  const root = join(containerd.folder, 'kubelet')
  const state = join(containerd.folder, 'csi-data')
  await mkdir(root)
  let driver = await startCsiBind({kubeletRoot: root, state})
  started.defer(() => driver[Symbol.asyncDispose]())
  const handles = {
    filesystem: await createVolume(driver.socket, randomUUID(), false),
    block: await createVolume(driver.socket, randomUUID(), true),
  }
  started.defer(async () => {
    for (const handle of Object.values(handles)) await deleteVolume(driver.socket, handle)
  })
  const kubelet = started.use(await startMiniatureNode(containerd, root, upMs))
  const persistent = (kind: keyof typeof handles, pv: string) => ({kind, pv, driver: driver.name, handle: handles[kind]})
  const web = await kubelet.runPod({name: 'web-0', volume: persistent('filesystem', 'pv1')})
  const block = await kubelet.runPod({name: 'blk-0', volume: persistent('block', 'pv2')})
  const inline = await kubelet.runPod({name: 'inline-0', volume: {kind: 'inline', driver: driver.name}})
  const held = started.move()
  return {
    containerd,
    get driver() {
      return driver
    },
    restartDriver: async () => {
      const registered = kubelet.says(/Register new plugin with name/)
      driver = await startCsiBind({kubeletRoot: root, state})
      await registered
    },
    kubelet,
    web,
    block,
    inline,
    flags: [
      ...['-r', containerd.endpoint, '--kubelet-root', root, '--kubelet-url', kubelet.url],
      ...['--kubelet-log', kubelet.log, '--kubeconfig', kubelet.kubeconfig],
    ],
    env: {NODE_NAME: nodeName},
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  }
}
