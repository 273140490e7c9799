// A lab's node whose kubelet is a real one, as a child process: the lab has the runtime, the drivers and the API server, behind its rules, and time is real.
import {mkdir} from 'node:fs/promises'
import {join} from 'node:path'
import type {Clock} from '../../base/clock.ts'
import {seeded} from '../../base/dice.ts'
import {UserError} from '../../base/errors.ts'
import {scaledClock} from '../../base/scaled-clock.ts'
import type {Kubelet, startKubelet} from '../../kubelet/kubelet.ts'
import {profileOf, profileVersions} from '../../kubelet/profiles.ts'
import {clearAway} from '../disk/clear-away.ts'
import {realDisk} from '../disk/real-disk.ts'
import {watchedDisk} from '../disk/watched-disk.ts'
import {runningClock} from '../lab-clock.ts'
import {type LabNode, type LabOptions, startLabNode} from '../lab-node.ts'
import {labNodeName} from '../lab-snapshot.ts'
import {type RestClient, restClient} from '../remote/rest-client.ts'
import type {KubeletVersion} from './kubelet-version.ts'
import {kubeletWire} from './kubelet-wire.ts'
import {followLog} from './log-events.ts'
import {mountingDisk} from './mounting-disk.ts'
import {runFolder} from './run-folder.ts'
import {type RealKubelet, startRealKubelet} from './start-real-kubelet.ts'

export interface RealKubeletNodeOptions extends Pick<LabOptions, 'seed' | 'config' | 'rules' | 'drivers' | 'claims'> {
  readonly binary: string
  readonly version: KubeletVersion
  /** Where there may be a folder for all of it; a short path. */
  readonly temporary: string
  readonly clock: Clock
  readonly signal: AbortSignal
}

export interface RealKubeletNode {
  readonly node: LabNode
  /** Resolves with the last lines of its log when the kubelet ends by itself. */
  readonly died: Promise<readonly string[]>
  readonly end: () => Promise<void>
}

const lookEvery = 100
/** A kubelet of 100 MB on a machine with other things to do. */
const patience = 90_000

/** The kubelet is Ready and has registered all drivers when it resolves. @throws UserError when it does not come so far; nothing is left then */
export async function startRealKubeletNode(options: RealKubeletNodeOptions): Promise<RealKubeletNode> {
  const {binary, version, temporary, seed, drivers = [], signal} = options
  await using undone = new AsyncDisposableStack()
  const {folder} = undone.use(await runFolder(temporary))
  const root = join(folder, 'kubelet')
  await mkdir(root)
  const over = new AbortController()
  const time = runningClock(scaledClock(options.clock, 1), over.signal)
  const real = realDisk({root})
  let disk: ReturnType<typeof mountingDisk> | undefined
  // What is mounted from them goes first.
  undone.defer(() => disk?.end())
  undone.defer(() => clearAway(real, root))
  const wire = undone.use(kubeletWire({folder, root, dice: seeded(seed), clock: time, version: version.text}))
  let running: RealKubelet | undefined
  const node = startLabNode({
    ...options,
    profile: profileOf(profileVersions.at(-1) ?? ''),
    start: time.now(),
    wire,
    parts: {
      clock: time,
      disk: (tell) => {
        disk = mountingDisk({
          disk: watchedDisk({disk: real, root, clock: time, every: lookEvery, tell}),
          root,
          volumes: join(folder, 'volumes'),
        })
        return disk
      },
    },
    startKubelet: ({signal: ended}) => {
      // Of the first: it is started below, when its servers are there.
      void running?.start()
      ended.addEventListener('abort', () => void running?.kill(), {once: true})
      return noModel
    },
  })
  undone.defer(() => over.abort(new Error('the lab has ended')))
  const {api, runtime, registered} = await wire.ready()
  const rest = undone.use(restClient(api.clients.user))
  for (const {name} of drivers) await describeDriver(rest, name)
  const settings = {folder, root, clock: options.clock, runtime, nodeName: labNodeName, own: options.config ?? {}}
  running = undone.use(await startRealKubelet({binary, version, kubeconfig: api.kubeconfigs.kubelet, ...settings}))
  const following = new AbortController()
  const followed = followLog({path: running.logFile, clock: time, onEvent: node.timeline.log, signal: following.signal})
  undone.defer(async () => {
    following.abort()
    await followed
  })
  await becomesReady(rest, running, options.clock, signal)
  await within(registered(), options.clock, signal)
  const kept = undone.move()
  return {node, died: running.died, end: () => kept.disposeAsync()}
}

/** Nobody attaches volumes here: a driver says that nobody need. */
async function describeDriver(rest: RestClient, name: string): Promise<void> {
  const spec = {attachRequired: false, podInfoOnMount: true, volumeLifecycleModes: ['Persistent', 'Ephemeral']}
  const body = {apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: {name}, spec}
  await rest.call({method: 'POST', path: '/apis/storage.k8s.io/v1/csidrivers', body})
}

interface SeenNode {
  readonly status?: {readonly conditions?: readonly {readonly type: string; readonly status: string; readonly message?: string}[]}
}

async function becomesReady(rest: RestClient, kubelet: RealKubelet, clock: Clock, signal: AbortSignal): Promise<void> {
  const end = clock.now() + patience
  let last = 'it has not registered its node'
  let dead: readonly string[] | undefined
  void kubelet.died.then((lines) => {
    dead = lines
  })
  while (clock.now() < end) {
    signal.throwIfAborted()
    if (dead !== undefined) throw new UserError(`Cannot play on this kubelet as it must run: its log ends with\n${dead.join('\n')}`)
    const found = (await rest.call({method: 'GET', path: `/api/v1/nodes/${labNodeName}`}).catch(() => undefined)) as SeenNode | undefined
    const ready = found?.status?.conditions?.find(({type}) => type === 'Ready')
    if (ready?.status === 'True') return
    if (ready !== undefined) last = `its node is not Ready: ${ready.message}`
    await clock.sleep(lookEvery, signal)
  }
  throw new UserError(`Cannot play on this kubelet as it must be Ready within ${patience / 1000} s: ${last}`)
}

async function within(registered: Promise<void>, clock: Clock, signal: AbortSignal): Promise<void> {
  const over = new AbortController()
  const late = clock.sleep(patience, AbortSignal.any([over.signal, signal])).then(() => {
    throw new UserError(`Cannot play on this kubelet as it must register its drivers within ${patience / 1000} s: it has not`)
  })
  late.catch(() => undefined)
  try {
    await Promise.race([registered, late])
  } finally {
    over.abort(new Error('over'))
  }
}

const cannot = (what: string): never => {
  throw new UserError(`Cannot ${what} as the kubelet must be the model: it is a real one`)
}

const noModel: ReturnType<typeof startKubelet> & Kubelet = {
  readiness: () => cannot('say what a probe finds'),
  evict: () => cannot('evict a pod'),
  pods: () => [],
  volumes: () => cannot('see its volumes'),
  loopEnteredAt: () => 0,
}
