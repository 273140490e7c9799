// The fake runtime as clients of a socket have it: crictl, critest, kubelets. Both names of the API, the same calls.
import type {ConnectRouter, ServiceImpl} from '@connectrpc/connect'
import * as v1 from '../../wire/gen/cri_pb.ts'
import * as v1alpha2 from '../../wire/gen/cri-v1alpha2_pb.ts'
import {containerCalls} from './container-calls.ts'
import {containerEvents} from './container-events.ts'
import {containerLogs} from './container-logs.ts'
import type {CriContext, CriServiceOptions} from './context.ts'
import {details} from './details.ts'
import {unimplemented} from './failures.ts'
import {imageCalls} from './image-calls.ts'
import {diskLogFiles, type LogFiles} from './log-files.ts'
import {metricsCalls} from './metrics.ts'
import {runtimeInfo} from './runtime-info.ts'
import {sandboxCalls} from './sandbox-calls.ts'
import {statsCalls} from './stats.ts'
import {answerQuestions, type ListFolder, listRealFolder} from './surroundings.ts'

export interface CriRoutesOptions extends CriServiceOptions {
  /** Default: on the disk, where the client says. */
  readonly logFiles?: LogFiles
  /** Default: what is on the disk. */
  readonly listFolder?: ListFolder
}

export interface CriRoutes extends Disposable {
  /** For serveGrpc. */
  readonly routes: (router: ConnectRouter) => void
}

/** Disposing of it closes the logs that are open. */
export function criRoutes({logFiles = diskLogFiles, listFolder = listRealFolder, ...options}: CriRoutesOptions): CriRoutes {
  const kept = details()
  const logs = containerLogs(options.world, kept, options.clock, logFiles)
  const stopAnswers = answerQuestions(options.world, kept, listFolder)
  const service: CriContext = {...options, details: kept, logs}
  const runtime = {
    ...sandboxCalls(service),
    ...containerCalls(service),
    ...statsCalls(service),
    ...metricsCalls(service),
    ...containerEvents(service),
    ...left,
  }
  const images = imageCalls(service)
  return {
    routes: (router) => {
      router.service(v1.RuntimeService, {...runtime, ...runtimeInfo('v1')})
      router.service(v1.ImageService, images)
      router.service(v1alpha2.RuntimeService, {...runtime, ...runtimeInfo('v1alpha2')})
      router.service(v1alpha2.ImageService, images)
    },
    [Symbol.dispose]: () => {
      stopAnswers()
      logs[Symbol.dispose]()
    },
  }
}

const noStreams = (call: string) => unimplemented(`${call}: the lab's containers have no processes to stream to; ExecSync works`)
const noCheckpoints = (call: string) => unimplemented(`${call}: the lab's containers have no processes to write down`)

type Left = 'exec' | 'attach' | 'portForward' | 'checkpointContainer' | 'checkpointPod' | 'restorePod'

const left: Pick<ServiceImpl<typeof v1.RuntimeService>, Left> = {
  exec: () => {
    throw noStreams('Exec')
  },
  attach: () => {
    throw noStreams('Attach')
  },
  portForward: () => {
    throw noStreams('PortForward')
  },
  checkpointContainer: () => {
    throw noCheckpoints('CheckpointContainer')
  },
  checkpointPod: () => {
    throw noCheckpoints('CheckpointPod')
  },
  restorePod: () => {
    throw noCheckpoints('RestorePod')
  },
}
