import {existsSync} from 'node:fs'
import {readdir, readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import type {ContainerState, PodStatus} from '../../src/kubelet/pod.ts'
import type {ContainerManifest, PodManifest} from '../../src/lab/api-server/pod-manifest.ts'
import {busyboxImage, type Containerd, startContainerd} from '../support/containerd.ts'
import {findLeftovers} from '../support/containerd-leftovers.ts'
import {type CsiBind, csiBindName, startCsiBind} from '../support/csi-bind.ts'
import {createVolume} from '../support/csi-calls.ts'
import {loopsBelow} from '../support/loop-devices.ts'
import {type Miniature, startMiniature} from '../support/miniature.ts'
import {until} from '../support/until.ts'

let rig: Containerd
let mini: Miniature
let driver: CsiBind

beforeAll(async () => {
  rig = await startContainerd()
  mini = await startMiniature({...rig, cgroupParent: rig.cgroup})
  driver = await startCsiBind({kubeletRoot: mini.root, state: join(rig.folder, 'volumes')})
})

afterAll(async () => {
  await driver?.[Symbol.asyncDispose]()
  await mini?.[Symbol.asyncDispose]()
  await rig?.[Symbol.asyncDispose]()
})

const script = (text: string): readonly string[] => ['/bin/sh', '-c', text]
const forever = 'while :; do sleep 1; done'

function pod(name: string, container: Partial<ContainerManifest>, spec: Partial<PodManifest['spec']> = {}): PodManifest {
  return {metadata: {name}, spec: {...spec, containers: [{name: 'app', image: busyboxImage, ...container}]}}
}

const stateOf = ({containerStatuses}: PodStatus): ContainerState | undefined => containerStatuses[0]?.state
const reasonOf = (status: PodStatus): string | undefined => {
  const state = stateOf(status)
  return state !== undefined && 'waiting' in state ? state.waiting.reason : undefined
}
const isRunning = (status: PodStatus): boolean => 'running' in (stateOf(status) ?? {})

async function labelled(kind: 'pods' | 'ps', name: string): Promise<{readonly id: string}[]> {
  const all = kind === 'ps' ? ['--all'] : []
  const listed = JSON.parse(await rig.crictl(kind, ...all, '--label', `io.kubernetes.pod.name=${name}`, '-o', 'json'))
  return listed.items ?? listed.containers
}

/** Once the kubelet has cleaned up: nothing of the pod is in the runtime, on the disk or in the mount table. */
async function nothingIsLeft(name: string): Promise<void> {
  await until(async () => {
    expect(await labelled('ps', name)).toEqual([])
    expect(await labelled('pods', name)).toEqual([])
    expect(await readdir(join(mini.root, 'pods')).catch(() => [])).toEqual([])
    expect((await readdir(join(mini.root, 'pod-logs')).catch(() => [])).filter((each) => each.includes(name))).toEqual([])
  }, 200)
  expect((await findLeftovers(rig.folder)).mounts.filter((path) => path.startsWith(mini.root))).toEqual([])
  expect(await loopsBelow(rig.folder)).toEqual([])
  expect(await filesBelow(join(mini.root, 'plugins/kubernetes.io'))).toEqual([])
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, {recursive: true, withFileTypes: true}).catch(() => [])
  return entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name))
}

async function deleted(name: string): Promise<void> {
  await mini.api.delete(`default/${name}`)
  await mini.gone(`default/${name}`)
  await nothingIsLeft(name)
}

test('startMiniatureKubelet() runs a pod, and deletes it by its trap within the grace', async () => {
  await mini.api.create(pod('plain', {command: script(`trap 'exit 3' TERM; ${forever}`)}))
  const status = await mini.seen('default/plain', isRunning)
  const [listed] = await labelled('ps', 'plain')
  expect(status.containerStatuses[0]).toMatchObject({containerID: `containerd://${listed?.id}`, image: busyboxImage, restartCount: 0})
  const {status: seen} = JSON.parse(await rig.crictl('inspect', listed?.id ?? ''))
  expect(seen.annotations).toMatchObject({
    'io.kubernetes.container.restartCount': '0',
    'io.kubernetes.pod.terminationGracePeriod': '30',
  })
  expect(seen.logPath).toMatch(/pod-logs\/default_plain_[-0-9a-f]+\/app\/0\.log$/)
  expect(existsSync(seen.logPath)).toBe(true)
  await deleted('plain')
  expect(stateOf(mini.statuses('default/plain').at(-1) as PodStatus)).toMatchObject({terminated: {exitCode: 3, reason: 'Error'}})
})

test('startMiniatureKubelet() starts a container that fails again and again, and waits in between', async () => {
  await mini.api.create(pod('crashes', {command: script('exit 1')}))
  const status = await mini.seen('default/crashes', ({containerStatuses: [app]}) => (app?.restartCount ?? 0) >= 2)
  expect(status.phase).toBe('Running')
  await mini.seen('default/crashes', (each) => reasonOf(each) === 'CrashLoopBackOff')
  const ends = mini.statuses('default/crashes').flatMap(({containerStatuses: [app]}) => [app?.state, app?.lastState])
  expect(ends).toContainEqual({terminated: expect.objectContaining({exitCode: 1, reason: 'Error'})})
  await deleted('crashes')
})

test.for([
  [0, 'Succeeded', 'Completed'],
  [7, 'Failed', 'Error'],
] as const)('startMiniatureKubelet() has a pod that never restarts end with %d as %s', async ([code, phase, reason]) => {
  const name = `ends-${code}`
  await mini.api.create(pod(name, {command: script(`exit ${code}`)}, {restartPolicy: 'Never'}))
  const status = await mini.seen(`default/${name}`, (each) => each.phase === phase)
  expect(stateOf(status)).toMatchObject({terminated: {exitCode: code, reason, containerID: expect.stringMatching(/^containerd:\/\//)}})
  await deleted(name)
})

test('startMiniatureKubelet() kills what does not heed its end when the grace is over', async () => {
  await mini.api.create(pod('ignores', {command: script(`trap '' TERM; ${forever}`)}, {terminationGracePeriodSeconds: 20}))
  await mini.seen('default/ignores', isRunning)
  const from = mini.clock.now()
  await deleted('ignores')
  expect(mini.clock.now() - from).toBeGreaterThan(20_000)
  expect(stateOf(mini.statuses('default/ignores').at(-1) as PodStatus)).toMatchObject({terminated: {exitCode: 137}})
})

test('startMiniatureKubelet() ends what is left of a pod whose object was deleted at once', async () => {
  await mini.api.create(pod('forced', {command: script(`trap '' TERM; ${forever}`)}))
  await mini.seen('default/forced', isRunning)
  await mini.api.delete('default/forced', 0)
  expect(mini.api.get('default/forced')).toBeUndefined()
  await nothingIsLeft('forced')
})

interface Recorded {
  readonly Staged: string
  readonly Published: readonly string[] | null
}

/** What the driver itself knows of its volumes, by their handles. */
async function recorded(): Promise<Readonly<Record<string, Recorded>>> {
  return JSON.parse(await readFile(join(driver.state, 'state.json'), 'utf8'))
}

async function claimed(name: string, block: boolean): Promise<void> {
  const volumeHandle = await createVolume(driver.socket, `pv-${name}`, block)
  const volumeMode = block ? 'Block' : 'Filesystem'
  mini.api.addClaim({namespace: 'default', name, volumeName: `pv-${name}`, driver: csiBindName, volumeHandle, volumeMode})
}

async function inContainer(name: string, text: string): Promise<string> {
  const [container] = await labelled('ps', name)
  return rig.crictl('exec', container?.id ?? '', ...script(text))
}

test('startMiniatureKubelet() gives a container a filesystem volume, and takes it back', async () => {
  await claimed('files', false)
  const volumes = [{name: 'data', persistentVolumeClaim: {claimName: 'files'}}]
  const volumeMounts = [{name: 'data', mountPath: '/data'}]
  await mini.api.create(pod('writes', {command: script(forever), volumeMounts}, {volumes}))
  await mini.seen('default/writes', isRunning)
  await inContainer('writes', 'echo hello >/data/file')
  expect(await readFile(join(driver.state, 'pv-files/file'), 'utf8')).toBe('hello\n')
  const {uid} = mini.api.get('default/writes')?.metadata ?? {}
  expect((await recorded())['pv-files']).toMatchObject({
    Staged: expect.stringMatching(`^${mini.root}/plugins/kubernetes.io/csi/${csiBindName}/[0-9a-f]{64}/globalmount$`),
    Published: [`${mini.root}/pods/${uid}/volumes/kubernetes.io~csi/pv-files/mount`],
  })
  await deleted('writes')
  expect((await recorded())['pv-files']).toMatchObject({Staged: '', Published: []})
  // The volume itself is nobody's but its claim's.
  expect(await readFile(join(driver.state, 'pv-files/file'), 'utf8')).toBe('hello\n')
})

test('startMiniatureKubelet() gives a container a raw block volume, and takes it back', async () => {
  await claimed('blocks', true)
  const volumes = [{name: 'dev', persistentVolumeClaim: {claimName: 'blocks'}}]
  const volumeDevices = [{name: 'dev', devicePath: '/dev/xvda'}]
  await mini.api.create(pod('blocks', {command: script(forever), volumeDevices}, {volumes}))
  await mini.seen('default/blocks', isRunning)
  expect(
    await inContainer('blocks', 'test -b /dev/xvda && echo raw | dd of=/dev/xvda conv=notrunc,fsync 2>/dev/null; head -c 3 /dev/xvda'),
  ).toBe('raw')
  const {uid} = mini.api.get('default/blocks')?.metadata ?? {}
  const below = join(mini.root, 'plugins/kubernetes.io/csi/volumeDevices')
  expect((await recorded())['pv-blocks']).toMatchObject({
    Staged: `${below}/staging/pv-blocks`,
    Published: [`${below}/publish/pv-blocks/${uid}`],
  })
  // The driver's own, and the one that the kubelet holds over it.
  expect((await loopsBelow(rig.folder)).map(({backingFile}) => backingFile).sort()).toEqual([
    `${below}/pv-blocks/dev/${uid}`,
    join(driver.state, 'pv-blocks'),
  ])
  await deleted('blocks')
  expect((await recorded())['pv-blocks']).toMatchObject({Staged: '', Published: []})
})

test('startMiniatureKubelet() gives a container a volume that is its own, and takes it back', async () => {
  const volumes = [{name: 'scratch', csi: {driver: csiBindName}}]
  const volumeMounts = [{name: 'scratch', mountPath: '/scratch'}]
  await mini.api.create(pod('inline', {command: script(forever), volumeMounts}, {volumes}))
  await mini.seen('default/inline', isRunning)
  await inContainer('inline', 'echo hello >/scratch/file')
  const {uid} = mini.api.get('default/inline')?.metadata ?? {}
  const [handle = '', volume] = Object.entries(await recorded()).find(([key]) => key.startsWith('csi-')) ?? []
  expect(volume).toMatchObject({Staged: '', Published: [`${mini.root}/pods/${uid}/volumes/kubernetes.io~csi/scratch/mount`]})
  expect(await readFile(join(driver.state, handle, 'file'), 'utf8')).toBe('hello\n')
  await deleted('inline')
  expect(Object.keys(await recorded())).not.toContain(handle)
  expect(existsSync(join(driver.state, handle))).toBe(false)
})

test('startMiniatureKubelet() takes over what an earlier kubelet left: the container runs on, and the volume is taken back', async () => {
  await claimed('kept', false)
  const volumes = [{name: 'data', persistentVolumeClaim: {claimName: 'kept'}}]
  const volumeMounts = [{name: 'data', mountPath: '/data'}]
  await mini.api.create(pod('kept', {command: script(`trap 'exit 3' TERM; ${forever}`), volumeMounts}, {volumes}))
  await mini.seen('default/kept', isRunning)
  const before = await labelled('ps', 'kept')
  await mini.restart()
  await until(async () => expect(mini.log.filter((line) => line.includes('Register new plugin')).length).toBe(2))
  await mini.clock.sleep(10_000)
  expect(await labelled('ps', 'kept')).toEqual(before)
  expect((await recorded())['pv-kept']).toMatchObject({Staged: expect.stringContaining('globalmount'), Published: [expect.anything()]})
  await deleted('kept')
  expect(stateOf(mini.statuses('default/kept').at(-1) as PodStatus)).toMatchObject({terminated: {exitCode: 3}})
  expect((await recorded())['pv-kept']).toMatchObject({Staged: '', Published: []})
})
