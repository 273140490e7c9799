// What the kubelet of a lab that is up shows of itself, as one of a node does: its HTTP endpoints, its log, and the mounts that it sees, which are the lab's alone.
import {join} from 'node:path'
import type {Clock} from '../../base/clock.ts'
import {type Kubelet, startKubelet} from '../../kubelet/kubelet.ts'
import type {CriPort} from '../../kubelet/ports.ts'
import type {Profile} from '../../kubelet/profiles.ts'
import {csiMetrics} from '../kubelet-server/csi-metrics.ts'
import {runningPods} from '../kubelet-server/running-pods.ts'
import {type KubeletServer, serveKubelet} from '../kubelet-server/serve-kubelet.ts'
import type {LabNode} from '../lab-node.ts'
import {labNodeName} from '../lab-snapshot.ts'
import {kubeletLogFile} from './kubelet-log-file.ts'

export interface ShownKubelet {
  /** For the lab's node: each kubelet that it starts. */
  readonly startKubelet: typeof startKubelet
  readonly logFile: string
  readonly mountinfo: string
  /** Of a node that has been started. Ends with the signal. */
  show(node: LabNode): Promise<KubeletServer>
}

export interface ShownKubeletOptions {
  readonly folder: string
  readonly profile: Profile
  readonly clock: Clock
  readonly signal: AbortSignal
}

export function shownKubelet({folder, profile, clock, signal}: ShownKubeletOptions): ShownKubelet {
  const logFile = join(folder, 'kubelet.log')
  const startedAt = clock.now()
  const metrics = csiMetrics(clock)
  let log: ReturnType<typeof kubeletLogFile> | undefined
  let running: {readonly kubelet: Kubelet; readonly cri: CriPort} | undefined
  const now = () => {
    if (running === undefined) throw new Error('no kubelet runs')
    return running
  }
  return {
    logFile,
    mountinfo: join(folder, 'mountinfo'),
    startKubelet: (options) => {
      const {ports} = options
      log?.started(clock.now())
      const csi: typeof ports.csi = (driver) => {
        const port = ports.csi(driver)
        return port && metrics.observed(driver, port)
      }
      const kubelet = startKubelet({...options, ports: {...ports, csi, log: (event) => (log?.log ?? ports.log)(event)}})
      running = {kubelet, cri: ports.cri}
      return kubelet
    },
    show: async ({timeline}) => {
      log = kubeletLogFile({
        path: logFile,
        profile,
        node: labNodeName,
        timeline,
        now: clock.now,
        zoneOffset: -new Date(clock.now()).getTimezoneOffset() * 60_000,
      })
      log.started(startedAt)
      return serveKubelet({
        kubelet: {
          pods: () => now().kubelet.pods(),
          volumes: () => now().kubelet.volumes(),
          loopEnteredAt: () => now().kubelet.loopEnteredAt(),
        },
        runningPods: async () => runningPods(now().cri, signal)(),
        csiMetrics: metrics.text,
        clock,
        nodeName: labNodeName,
        version: profile.version,
        config: {},
        startedAt,
      })
    },
  }
}
