// Sockets between the kubelet and the servers of a lab's node: what the kubelet calls goes over the wire, as it would to real ones.
import {join} from 'node:path'
import type {Clock} from '../../base/clock.ts'
import type {Dice} from '../../base/dice.ts'
import type {ScaledClock} from '../../base/scaled-clock.ts'
import {type Transit, transit} from '../../base/transit.ts'
import {serveGrpc} from '../../wire/serve-grpc.ts'
import {serveApi} from '../api/serve-api.ts'
import {criRoutes} from '../cri-service/cri-routes.ts'
import type {LogFiles} from '../cri-service/log-files.ts'
import {csiRoutes} from '../csi-service/csi-routes.ts'
import {labNodeName} from '../lab-snapshot.ts'
import {type KnownPods, knowingPods} from '../remote/known-pods.ts'
import {laterApi, laterPort} from '../remote/later-port.ts'
import type {PodLogs} from '../remote/pod-logs.ts'
import {remoteApi} from '../remote/remote-api.ts'
import {openRemoteCri} from '../remote/remote-cri.ts'
import {remoteCsi} from '../remote/remote-csi.ts'
import {restClient} from '../remote/rest-client.ts'
import {turnstile} from './turnstile.ts'
import type {Wire} from './wire.ts'

/** Nothing of a lab's node in simulated time is on this machine's disk. */
const nowhere: LogFiles = {append: () => undefined}
const noLogs: PodLogs = {
  directory: ({uid}) => `/var/log/pods/${uid}`,
  path: ({name, attempt}) => `${name}/${attempt}.log`,
  make: async () => undefined,
  removeContainer: async () => undefined,
  removePod: async () => undefined,
}
const asIs = (path: string): string => path

export interface SocketWire extends Wire, AsyncDisposable {}

export interface SocketWireOptions {
  /** For the sockets: a path that is short. */
  readonly folder: string
  readonly dice: Dice
}

/** For a node whose time is simulated: it stands still while anything is under way. */
export function socketWire({folder, dice}: SocketWireOptions): SocketWire {
  const way = transit()
  const stack = new AsyncDisposableStack()
  const end = new AbortController()
  stack.defer(() => end.abort(new Error('the lab has ended')))
  const inOrder = turnstile()
  let podNames: KnownPods = () => undefined
  return {
    quiesce: way.quiesce,
    api: (port, server, clock) => {
      const listener = way.listener()
      const tokens = {user: 'user', kubelet: 'kubelet'}
      const opened = whileBegun(way, async () => {
        const endpoint = stack.use(
          await serveApi({server, port: inOrder.arriving(port), clock, dice, tokens, onConnection: listener.accepted}),
        )
        const client = stack.use(restClient({url: endpoint.url, token: tokens.kubelet, onConnected: listener.dialled}))
        return remoteApi({client, clock, nodeName: labNodeName})
      })
      const later = laterApi(opened)
      const known = knowingPods({...inOrder.leaving(later), watchPods: later.watchPods})
      podNames = known.known
      return known.api
    },
    cri: (port, world, clock) => {
      const listener = way.listener()
      const path = join(folder, 'runtime.sock')
      const opened = whileBegun(way, async () => {
        const {routes} = stack.use(criRoutes({port: inOrder.arriving(port), world, clock, logFiles: nowhere}))
        stack.use(await serveGrpc({path, routes, onConnection: listener.accepted}))
        const target = {path, clock: scaled(clock), onConnected: listener.dialled}
        const remote = await openRemoteCri({...target, logs: noLogs, cgroupParent: '', realPath: asIs, signal: end.signal})
        return stack.use(remote).port
      })
      return inOrder.leaving(laterPort(opened))
    },
    csi: (port, driver, clock) => {
      const listener = way.listener()
      const {name} = driver.identity.pluginInfo()
      const path = join(folder, `${name}.sock`)
      const opened = whileBegun(way, async () => {
        stack.use(
          await serveGrpc({
            path,
            routes: csiRoutes({driver, port: inOrder.arriving(port), clock, nodeId: labNodeName}),
            onConnection: listener.accepted,
          }),
        )
        const names = (uid: string) => podNames(uid)
        return remoteCsi({path, clock: scaled(clock), onConnected: listener.dialled, realPath: asIs, podNames: names})
      })
      return inOrder.leaving(laterPort(opened))
    },
    [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose](),
  }
}

async function whileBegun<T>(way: Transit, work: () => Promise<T>): Promise<T> {
  const end = way.begin()
  try {
    return await work()
  } finally {
    end()
  }
}

/** Nobody there has another clock. */
const scaled = (clock: Clock): ScaledClock => ({now: clock.now, sleep: clock.sleep, scale: 1, real: clock, fromReal: asItIs})
const asItIs = (moment: number): number => moment
