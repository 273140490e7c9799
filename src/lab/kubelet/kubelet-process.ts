// A miniature kubelet as a process of its own would be: it knows the API server by its address alone, has its root, its log and its HTTP endpoints, and can end
// and start again.
import type {Timeline} from '../../timeline/timeline.ts'
import {runningPods} from '../kubelet-server/running-pods.ts'
import {type KubeletServer, serveKubelet} from '../kubelet-server/serve-kubelet.ts'
import {syncNodeStatus} from '../remote/node-status.ts'
import {remoteApi} from '../remote/remote-api.ts'
import {restClient} from '../remote/rest-client.ts'
import {kubeletLogFile} from './kubelet-log-file.ts'
import {setupKubeletRoot} from './kubelet-root.ts'
import {type MiniatureKubelet, type MiniatureKubeletOptions, startMiniatureKubelet} from './miniature-kubelet.ts'

export interface KubeletProcessOptions extends Omit<MiniatureKubeletOptions, 'api' | 'log' | 'believe' | 'signal'> {
  readonly apiServer: {readonly url: string; readonly token: string}
  /** With the objects of the API server, which the log's lines are about. */
  readonly timeline: Timeline
  readonly logFile: string
  /** Milliseconds to add to UTC for the log, which has local times. */
  readonly zoneOffset: number
  /** What it says of when it started, of the first. Default: now. */
  readonly startedAt?: number
}

export interface KubeletProcess extends AsyncDisposable {
  readonly kubelet: MiniatureKubelet
  /** Of its HTTP endpoints: the same after a restart. */
  readonly url: string
  /** Ends it, with all that it knew and was about to do, and starts another. */
  restart(): Promise<void>
}

interface Running extends AsyncDisposable {
  readonly kubelet: MiniatureKubelet
  readonly server: KubeletServer
}

export async function startKubeletProcess(options: KubeletProcessOptions): Promise<KubeletProcess> {
  const {profile, clock, dice, nodeName, apiServer, timeline, logFile, zoneOffset, root, config = {}} = options
  const log = kubeletLogFile({path: logFile, profile, node: nodeName, timeline, now: clock.now, zoneOffset})
  let starts = 0

  const start = async (startedAt: number, tcpPort?: number): Promise<Running> => {
    await using stack = new AsyncDisposableStack()
    const end = new AbortController()
    const client = stack.use(restClient(apiServer))
    stack.defer(() => end.abort(new Error('the process of the kubelet has ended')))
    const {signal} = end
    log.started(startedAt)
    stack.use(await setupKubeletRoot(root))
    const kubelet = await startMiniatureKubelet({
      ...options,
      dice: dice.of(`kubelet ${++starts}`),
      api: remoteApi({client, clock, nodeName}),
      log: log.log,
      believe: timeline.belief,
      signal,
    })
    void syncNodeStatus({client, clock, nodeName, volumesInUse: () => kubelet.volumes().inUse, signal})
    const server = stack.use(
      await serveKubelet({
        kubelet,
        runningPods: runningPods(kubelet.cri, signal),
        csiMetrics: kubelet.csiMetrics,
        clock,
        nodeName,
        version: profile.version,
        config,
        startedAt,
        ...(tcpPort !== undefined && {tcpPort}),
      }),
    )
    const held = stack.move()
    return {kubelet, server, [Symbol.asyncDispose]: () => held.disposeAsync()}
  }

  let running = await start(options.startedAt ?? clock.now())
  return {
    get kubelet() {
      return running.kubelet
    },
    url: running.server.url,
    restart: async () => {
      const {tcpPort} = running.server
      await running[Symbol.asyncDispose]()
      running = await start(clock.now(), tcpPort)
    },
    [Symbol.asyncDispose]: async () => {
      await running[Symbol.asyncDispose]()
      log[Symbol.dispose]()
    },
  }
}
