import {existsSync} from 'node:fs'
import {readdir, readFile, readlink, stat, writeFile} from 'node:fs/promises'
import {join, relative} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {parse} from 'yaml'
import {csiCalls} from '../../../src/kubelet/traces/csi-calls.ts'
import {parseNode} from '../../../src/node/api-server/node-object.ts'
import {parseKubeletLog} from '../../../src/node/kubelet-log.ts'
import {uniqueVolumeName} from '../../../src/node/layout.ts'
import {parseMetrics} from '../../../src/node/metrics.ts'
import {containerdPlaces} from '../../support/containerd-config.ts'
import {findLeftovers} from '../../support/containerd-leftovers.ts'
import {csiBindName} from '../../support/csi-bind.ts'
import {type HealthyNode, startHealthyNode} from '../../support/healthy-node.ts'
import {loopsBelow} from '../../support/loop-devices.ts'
import {podOfDeadDriver} from '../../support/troubled-pods.ts'
import {until} from '../../support/until.ts'

const capture = join(import.meta.dirname, '../../../fixtures/nodes/healthy')
let node: HealthyNode

beforeAll(async () => {
  node = await startHealthyNode()
})
afterAll(() => node[Symbol.asyncDispose]())

interface Entry {
  readonly path: string
  readonly type: string
  readonly mode: string
  readonly target?: string
}

async function capturedEntries(): Promise<Entry[]> {
  const lines = (await readFile(join(capture, 'disk/entries.jsonl'), 'utf8')).trim().split('\n')
  return lines.map((line) => JSON.parse(line))
}

async function liveEntries(root: string): Promise<Entry[]> {
  const paths = ['', ...(await readdir(root, {recursive: true}))]
  return Promise.all(
    paths.map(async (path) => {
      const full = join(root, path)
      const target = await readlink(full).catch(() => undefined)
      if (target !== undefined) return {path, type: 'link', mode: '777', target: join('/var/lib/kubelet', relative(root, target))}
      const stats = await stat(full)
      const types = {directory: stats.isDirectory(), socket: stats.isSocket(), block: stats.isBlockDevice(), file: stats.isFile()}
      const type = Object.entries(types).find(([, is]) => is)?.[0] ?? 'other'
      return {path, type, mode: (stats.mode & 0o7777).toString(8)}
    }),
  )
}

// What differs from node to node: UIDs, hashes, and the driver's names.
function kinds(entries: readonly Entry[]): string[] {
  const plain = (text: string) =>
    text
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID')
      .replace(/[0-9a-f]{64}/g, 'SHA')
      .replace(/(containers\/app\/)[0-9a-f]{1,8}$/, '$1HASH')
      .replaceAll(csiBindName, 'DRIVER')
      .replaceAll('hostpath.csi.k8s.io', 'DRIVER')
      .replace('plugins/csi-hostpath', 'plugins/DRIVER')
  return [...new Set(entries.map(({path, type, mode, target = ''}) => `${type} ${mode} ${plain(path)} ${plain(target)}`))].toSorted()
}

test("startHealthyNode gives the kubelet's root the entries that a real kubelet's has", async () => {
  expect(kinds(await liveEntries(node.kubelet.root))).toEqual(kinds(await capturedEntries()))
})

test('startHealthyNode writes each vol_data.json with the keys of a real one, in their order', async () => {
  const lines = (await readFile(join(capture, 'disk/vol-data.jsonl'), 'utf8')).trim().split('\n')
  const captured = lines.map((line) => JSON.parse(line).content as string)
  const files = (await readdir(node.kubelet.root, {recursive: true})).filter((path) => path.endsWith('vol_data.json'))
  const live = await Promise.all(files.map((path) => readFile(join(node.kubelet.root, path), 'utf8')))
  const shapes = (texts: readonly string[]) => texts.map((text) => text.replace(/:"[^"]*"/g, ':""')).toSorted()
  expect(shapes(live)).toEqual(shapes(captured))
})

test('startHealthyNode runs the pods with the labels and annotations of a kubelet', async () => {
  const captured = JSON.parse(await readFile(join(capture, 'runtime/containers.json'), 'utf8'))
  const live = JSON.parse(await node.containerd.crictl('ps', '-o', 'json'))
  const keys = ({containers}: {containers: {labels: object; annotations: object}[]}) =>
    containers.map(({labels, annotations}) => [Object.keys(labels), Object.keys(annotations)])
  expect(keys(live)).toHaveLength(3)
  for (const each of keys(live)) expect(each).toEqual(keys(captured)[0])
})

test('startHealthyNode gives each pod its volume: a folder, a device, a folder', async () => {
  const inside = (pod: HealthyNode['web'], ...command: string[]) => node.containerd.crictl('exec', pod.container, ...command)
  expect(await inside(node.web, '/bin/busybox', 'stat', '-c', '%F', '/data')).toBe('directory')
  expect(await inside(node.block, '/bin/busybox', 'stat', '-c', '%F', '/dev/xvda')).toBe('block special file')
  expect(await inside(node.inline, '/bin/busybox', 'stat', '-c', '%F', '/scratch')).toBe('directory')
})

test("the miniature kubelet's log tells of the end of each operation, as at the usual level, and its /metrics of each call", async () => {
  const calls = csiCalls(parseKubeletLog(await readFile(node.kubelet.log, 'utf8'), {near: Date.now()}))
  const ended = calls.map(({method, end}) => `${method} ${end.state}`)
  // Lines about inline volumes name no driver, and that a block volume was staged no line says.
  expect(ended.toSorted()).toEqual([...Array(2).fill('NodePublishVolume ok'), 'NodeStageVolume ok'])
  expect(await succeeded(node)).toMatchObject({NodePublishVolume: 3, NodeStageVolume: 2})
})

/** By their methods, the calls that its /metrics count. */
async function succeeded({kubelet}: HealthyNode): Promise<Readonly<Record<string, number>>> {
  const samples = parseMetrics(await (await fetch(`${kubelet.url}/metrics`)).text())
  const counts = samples.filter(({name, labels}) => name === 'csi_operations_seconds_count' && labels.driver_name === csiBindName)
  const ok = counts.filter(({labels}) => labels.grpc_status_code === 'OK')
  return Object.fromEntries(ok.map(({labels, value}) => [labels.method_name?.split('/').at(-1), value]))
}

/** As whoever has the kubeconfig. */
async function fromApi({kubelet}: HealthyNode, path: string): Promise<string> {
  const {username, password, origin} = new URL(parse(await readFile(kubelet.kubeconfig, 'utf8')).clusters[0].cluster.server)
  return (await fetch(origin + path, {headers: {authorization: `Basic ${btoa(`${username}:${password}`)}`}})).text()
}

test("the miniature kubelet's /pods, /runningpods and API server name the same pods", async () => {
  const {url} = node.kubelet
  const uids = (list: string) => {
    const {items}: {items: {metadata: {uid: string}}[]} = JSON.parse(list)
    return items.map(({metadata}) => metadata.uid).toSorted()
  }
  const expected = [node.web.uid, node.block.uid, node.inline.uid].toSorted()
  for (const path of ['/pods', '/runningpods/']) expect(uids(await (await fetch(url + path)).text()), path).toEqual(expected)
  expect(uids(await fromApi(node, '/api/v1/pods'))).toEqual(expected)
})

test("the miniature kubelet's node has in use what could be attached, and that counts as attached", async () => {
  const names = [node.web, node.block].map(({volume}) => uniqueVolumeName(csiBindName, volume?.handle ?? '')).toSorted()
  await until(async () => {
    const {volumesInUse, volumesAttached} = parseNode(await fromApi(node, '/api/v1/nodes/n1'))
    expect([volumesInUse, volumesAttached]).toEqual([names, names])
  })
})

test("the miniature kubelet keeps a pod whose driver is dead, with the status and the log of a real kubelet's", async () => {
  const real = JSON.parse(await readFile(join(import.meta.dirname, '../../../fixtures/nodes/runtime-errors/kubelet/pods.json'), 'utf8'))
  const statuses = ({items}: {items: {status: {containerStatuses: {state: {terminated?: object}}[]}}[]}) =>
    items.flatMap(({status}) => status.containerStatuses).filter(({state}) => state.terminated !== undefined)
  await using _stuck = await podOfDeadDriver(node)
  const live = JSON.parse(await (await fetch(`${node.kubelet.url}/pods`)).text())
  const keys = (status: {state: {terminated?: object}} | undefined) => [
    Object.keys(status ?? {}),
    Object.keys(status?.state.terminated ?? {}),
  ]
  expect(statuses(live).map(keys)).toEqual([keys(statuses(real)[0])])
  const calls = csiCalls(parseKubeletLog(await readFile(node.kubelet.log, 'utf8'), {near: Date.now()}))
  expect(calls.at(-1)).toMatchObject({method: 'NodeUnpublishVolume', end: {state: 'failed', code: 'Unavailable'}})
})

test('the end of a healthy node leaves no process, mount, loop device or file', async () => {
  let ended: HealthyNode
  {
    await using own = await startHealthyNode()
    ended = own
    expect(await loopsBelow(own.containerd.folder)).toHaveLength(2)
  }
  const {folder} = ended.containerd
  expect(await findLeftovers(folder)).toEqual({shims: [], mounts: []})
  expect(await loopsBelow(folder)).toEqual([])
  expect([folder, `/proc/${ended.driver.pid}`].filter(existsSync)).toEqual([])
})

test('startHealthyNode removes what a run left behind that was killed', async () => {
  const abandoned = await startHealthyNode()
  const {folder} = abandoned.containerd
  await abandoned.kubelet.crash()
  await writeFile(containerdPlaces(folder).owner, 'no such process')
  await using _ = await startHealthyNode()
  expect(await findLeftovers(folder)).toEqual({shims: [], mounts: []})
  expect(await loopsBelow(folder)).toEqual([])
  expect([folder, `/proc/${abandoned.driver.pid}`].filter(existsSync)).toEqual([])
})

test('the miniature kubelet undoes everything when its pods are deleted', async () => {
  await using own = await startHealthyNode()
  for (const pod of [own.inline, own.block, own.web]) await own.kubelet.deletePod(pod)
  expect(await readdir(join(own.kubelet.root, 'pods'))).toEqual([])
  expect(await readdir(join(own.kubelet.root, 'plugins/kubernetes.io/csi'))).toEqual([csiBindName, 'volumeDevices'])
  expect(await readdir(join(own.kubelet.root, 'plugins/kubernetes.io/csi', csiBindName))).toEqual([])
  expect(await loopsBelow(own.containerd.folder)).toEqual([])
  expect(JSON.parse(await own.containerd.crictl('pods', '-o', 'json')).items).toEqual([])
  const calls = csiCalls(parseKubeletLog(await readFile(own.kubelet.log, 'utf8'), {near: Date.now()}))
  // The first, of the inline volume, is not told in words that name it.
  expect(calls.map(({method}) => method).slice(-4)).toEqual([
    'NodeUnpublishVolume',
    'NodeUnstageVolume',
    'NodeUnpublishVolume',
    'NodeUnstageVolume',
  ])
  expect(calls.filter(({end}) => end.state !== 'ok')).toEqual([])
  expect(await succeeded(own)).toMatchObject({NodeUnpublishVolume: 3, NodeUnstageVolume: 2})
})
