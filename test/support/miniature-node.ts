// A node whose kubelet is the miniature one, and whose API server is the lab's, on TCP. Whoever wants something of it writes objects.
import {existsSync} from 'node:fs'
import {appendFile, readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {systemClock} from '../../src/base/clock.ts'
import {seeded} from '../../src/base/dice.ts'
import {scaledClock} from '../../src/base/scaled-clock.ts'
import type {Rule} from '../../src/faults/rule.ts'
import {profileOf} from '../../src/kubelet/profiles.ts'
import {writeKubeconfig} from '../../src/lab/api/kubeconfig.ts'
import {serveApi} from '../../src/lab/api/serve-api.ts'
import {apiServer} from '../../src/lab/api-server/api-server.ts'
import {describeApi} from '../../src/lab/api-server/describe-api.ts'
import {startKubeletProcess} from '../../src/lab/kubelet/kubelet-process.ts'
import {deadlines} from '../../src/lab/port/deadlines.ts'
import {faultyPort} from '../../src/lab/port/faulty-port.ts'
import {ruleBook} from '../../src/lab/port/rule-book.ts'
import {restClient} from '../../src/lab/remote/rest-client.ts'
import {timeline} from '../../src/timeline/timeline.ts'
import type {Containerd} from './containerd.ts'
import {faultyPorts} from './faulty-ports.ts'
import {
  claimManifests,
  globalMountPath,
  nodeName,
  type PersistentSpec,
  type PodSpec,
  type PodVolume,
  planted,
  podManifest,
  podVolume,
} from './node-pods.ts'
import {until} from './until.ts'

export interface RunningPod {
  readonly uid: string
  readonly name: string
  readonly volume: PodVolume | undefined
  readonly sandbox: string
  readonly container: string
}

/** A pod of the kubelet's /pods. */
export interface ToldPod {
  readonly metadata: {readonly uid: string; readonly deletionGracePeriodSeconds?: number}
  readonly status: {
    readonly containerStatuses?: readonly {readonly containerID?: string; readonly state: {readonly terminated?: object}}[]
  }
}

export interface MiniatureNode extends AsyncDisposable {
  readonly root: string
  readonly url: string
  readonly log: string
  readonly kubeconfig: string
  readonly faults: {add(rule: Rule): void; remove(name: string): void}
  /** Writes a pod's claim before the pod, for whoever must find it. */
  writeClaim(volume: PersistentSpec): Promise<void>
  /** Resolves when its container runs. @param patienceMs how long that may take */
  runPod(spec: PodSpec, patienceMs?: number): Promise<RunningPod>
  /** Has it deleted, and does not wait. */
  markDeleted(pod: RunningPod): Promise<void>
  /** Resolves when nothing is left of it. @param staysStaged its volume is, as something sees to it */
  deletePod(pod: RunningPod, staysStaged?: boolean): Promise<void>
  /** Resolves when its sandbox has ended and was removed. */
  removedFromRuntime(pod: RunningPod): Promise<void>
  /** Resolves once the kubelet has said so, from now on. */
  says(words: RegExp): Promise<void>
  /** As its controller does. */
  liftFinalizers(pod: RunningPod): Promise<void>
  /** Resolves once the kubelet's /pods has it so. */
  told(pod: RunningPod, is: (told: ToldPod) => boolean): Promise<void>
  /** The kubelet's process ends, and leaves all as it is. */
  crash(): Promise<void>
  /** The kubelet's process ends, and another one begins. */
  restart(): Promise<void>
}

const version = '1.26.5'

/** @param upMs how long ago the kubelet says that it started */
export async function startMiniatureNode(rig: Containerd, root: string, upMs = 0): Promise<MiniatureNode> {
  await using started = new AsyncDisposableStack()
  const clock = scaledClock(systemClock, 1)
  const events = timeline(clock.now)
  const server = apiServer(clock, events, seeded(1))
  const rules = ruleBook()
  const port = faultyPort(server.server, {
    clock,
    timeline: timeline(clock.now),
    rules,
    deadlines: deadlines(clock),
    describe: describeApi,
    asIfDone: server.asIfDone,
  })
  const tokens = {user: planted.kubeconfig, kubelet: 'the-token-of-the-kubelet'}
  const of = {nodeName, validatePrograms: false, version: `v${version}`}
  const endpoint = started.use(await serveApi({server, port, clock, dice: seeded(2), tokens, ...of}))
  const kubeconfig = join(rig.folder, 'kubeconfig')
  await writeKubeconfig(kubeconfig, endpoint.kubeconfigFor(tokens.user))
  const log = join(rig.folder, 'kubelet.log')
  const startedAt = clock.now() - upMs
  const kubelet = started.use(
    await startKubeletProcess({
      profile: profileOf(version),
      clock,
      dice: seeded(3),
      nodeName,
      apiServer: {url: endpoint.url, token: tokens.kubelet},
      criEndpoint: rig.endpoint,
      root,
      podLogsDir: join(rig.folder, 'pod-logs'),
      cgroupParent: rig.cgroup,
      through: faultyPorts(clock, rules),
      timeline: events,
      logFile: log,
      zoneOffset: -new Date(startedAt).getTimezoneOffset() * 60_000,
      startedAt,
    }),
  )
  // As one with a higher verbosity would.
  await appendFile(
    log,
    `${(await readFile(log, 'utf8')).split(' volume_manager', 1)[0]} round_trippers.go:463] Authorization: Bearer ${planted.log}\n`,
  )
  const client = started.use(restClient({url: endpoint.url, token: tokens.user}))
  const pods = '/api/v1/namespaces/default/pods'
  const create = (path: string, body: object) => client.call({method: 'POST', path, body})
  const claims = new Set<string>()
  const writeClaim = async (volume: PersistentSpec) => {
    if (claims.has(volume.pv)) return
    claims.add(volume.pv)
    for (const [path, manifest] of claimManifests(volume)) await create(path, manifest)
  }
  const inRuntime = async (kind: 'pods' | 'ps', uid: string): Promise<{readonly id: string; readonly state: string}[]> => {
    const all = kind === 'ps' ? ['--all'] : []
    const listed = JSON.parse(await rig.crictl(kind, ...all, '--label', `io.kubernetes.pod.uid=${uid}`, '-o', 'json'))
    return listed.items ?? listed.containers
  }
  /** The kubelet's garbage collection does it once a minute, which is longer than a test should wait. */
  const removeEnded = async (uid: string) => {
    const sandboxes = await inRuntime('pods', uid)
    if (sandboxes.some(({state}) => state !== 'SANDBOX_NOTREADY')) throw new Error(`the sandbox of ${uid} has not ended`)
    for (const {id} of sandboxes) await rig.crictl('rmp', id)
  }
  const markDeleted = async ({name}: RunningPod) => void (await client.call({method: 'DELETE', path: `${pods}/${name}`}))
  const alive = new Set<RunningPod>()
  /** The paths of its claim and of its volume. */
  const written = new Map<RunningPod, readonly string[]>()
  const isGone = async ({uid, name, volume}: RunningPod, staysStaged: boolean): Promise<void> => {
    if (server.get(`default/${name}`)?.metadata.uid === uid) throw new Error(`${name} is still there`)
    if (existsSync(join(root, 'pods', uid))) throw new Error(`the directory of ${name} is still there`)
    if (volume !== undefined && !staysStaged && existsSync(globalMountPath(root, volume)))
      throw new Error(`the volume of ${name} is still staged`)
  }
  const removedFromRuntime = ({uid}: RunningPod) => until(() => removeEnded(uid))
  const deletePod = async (pod: RunningPod, staysStaged = false) => {
    if (server.get(`default/${pod.name}`)?.metadata.uid === pod.uid) await markDeleted(pod)
    await until(() => isGone(pod, staysStaged), 600)
    await removedFromRuntime(pod)
    for (const path of written.get(pod) ?? []) await client.call({method: 'DELETE', path})
    if (pod.volume !== undefined) claims.delete(pod.volume.specName)
    alive.delete(pod)
  }
  started.defer(async () => {
    await Promise.all([...alive].map((pod) => deletePod(pod)))
  })
  const held = started.move()
  return {
    root,
    url: kubelet.url,
    log,
    kubeconfig,
    faults: {add: rules.add, remove: rules.remove},
    writeClaim,
    runPod: async (spec, patienceMs = 30_000) => {
      const {name, volume} = spec
      const manifests = volume === undefined || volume.kind === 'inline' ? [] : claimManifests(volume)
      if (volume !== undefined && volume.kind !== 'inline') await writeClaim(volume)
      await create(pods, podManifest(spec))
      const uid = server.get(`default/${name}`)?.metadata.uid ?? ''
      await until(async () => {
        const {containerStatuses = []} = server.get(`default/${name}`)?.status ?? {}
        if (!containerStatuses.some(({state}) => 'running' in state))
          throw new Error(`${name} does not run: ${JSON.stringify(containerStatuses)}`)
      }, patienceMs / 100)
      const [[sandbox], [container]] = [await inRuntime('pods', uid), await inRuntime('ps', uid)]
      const pod = {uid, name, volume: volume && podVolume(volume, uid), sandbox: sandbox?.id ?? '', container: container?.id ?? ''}
      alive.add(pod)
      written.set(
        pod,
        manifests.map(([path, {metadata}]) => `${path}/${metadata.name}`),
      )
      return pod
    },
    markDeleted,
    deletePod,
    removedFromRuntime,
    says: async (words) => {
      const before = (await readFile(log, 'utf8')).length
      await until(async () => {
        const said = (await readFile(log, 'utf8')).slice(before)
        if (!words.test(said)) throw new Error(`the kubelet does not say ${words}, but ${said}`)
      })
    },
    liftFinalizers: async ({name}) => {
      const contentType = 'application/merge-patch+json'
      await client.call({method: 'PATCH', path: `${pods}/${name}`, contentType, body: {metadata: {finalizers: null}}})
    },
    told: async ({uid}, is) => {
      await until(async () => {
        const {items}: {items: ToldPod[]} = JSON.parse(await (await fetch(`${kubelet.url}/pods`)).text())
        const pod = items.find(({metadata}) => metadata.uid === uid)
        if (pod === undefined || !is(pod)) throw new Error(`the kubelet does not tell so of ${uid}: ${JSON.stringify(pod)}`)
      })
    },
    crash: async () => kubelet[Symbol.asyncDispose](),
    restart: kubelet.restart,
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  }
}
