// The servers of a lab's node on sockets that anybody may use, and its kubelet as one of their clients: in real time, or some times as fast.
import {randomBytes} from 'node:crypto'
import {mkdir} from 'node:fs/promises'
import {join} from 'node:path'
import type {Clock} from '../../base/clock.ts'
import type {Dice} from '../../base/dice.ts'
import type {ScaledClock} from '../../base/scaled-clock.ts'
import {serveGrpc} from '../../wire/serve-grpc.ts'
import {newToken} from '../api/kubeconfig.ts'
import {selfSigned} from '../api/self-signed.ts'
import {serveApi} from '../api/serve-api.ts'
import {criRoutes} from '../cri-service/cri-routes.ts'
import {serveDriver} from '../csi-service/serve-driver.ts'
import {pathMap} from '../disk/path-map.ts'
import {labNodeName} from '../lab-snapshot.ts'
import {knowingPods} from '../remote/known-pods.ts'
import {laterApi, laterPort} from '../remote/later-port.ts'
import {podLogs} from '../remote/pod-logs.ts'
import {remoteApi} from '../remote/remote-api.ts'
import {openRemoteCri} from '../remote/remote-cri.ts'
import {remoteCsi} from '../remote/remote-csi.ts'
import {restClient} from '../remote/rest-client.ts'
import type {Wire} from './wire.ts'

export interface ServedWire extends Wire, AsyncDisposable {
  /** Resolves when all of them listen. */
  ready(): Promise<ServedEndpoints>
}

export interface ServedEndpoints {
  /** 'https://127.0.0.1:40123' */
  readonly url: string
  readonly kubeconfig: string
  /** Path of the runtime's socket. */
  readonly runtime: string
  readonly drivers: readonly {readonly name: string; readonly endpoint: string; readonly registration: string}[]
}

export interface ServedWireOptions {
  /** For the sockets: a path that is short, and a folder for its owner alone. */
  readonly folder: string
  /** The kubelet's, where the drivers' sockets are. */
  readonly root: string
  readonly dice: Dice
  readonly clock: ScaledClock
  /** Of the kubelet: '1.36.2'. */
  readonly version: string
}

export function servedWire({folder, root, dice, clock: own, version}: ServedWireOptions): ServedWire {
  const stack = new AsyncDisposableStack()
  const end = new AbortController()
  stack.defer(() => end.abort(new Error('the lab has ended')))
  const {toReal} = pathMap(root)
  const runtime = join(folder, 'runtime.sock')
  const logs = podLogs(join(folder, 'pod-logs'))
  const opening: Promise<unknown>[] = []
  const drivers: ServedEndpoints['drivers'][number][] = []
  let api: Pick<ServedEndpoints, 'url' | 'kubeconfig'> = {url: '', kubeconfig: ''}
  let names: ReturnType<typeof knowingPods>['known'] = () => undefined
  const opened = <T>(work: Promise<T>): Promise<T> => {
    opening.push(work)
    // ready() tells of it.
    work.catch(() => undefined)
    return work
  }
  const client = (clock: Clock): ScaledClock => ({...own, now: clock.now, sleep: clock.sleep})
  return {
    // Time goes on by itself: nobody waits for it to stand still.
    quiesce: async () => undefined,
    api: (port, server, clock) => {
      const open = async () => {
        const tokens = {user: newToken(randomBytes), kubelet: newToken(randomBytes)}
        const certificate = selfSigned(own.real.now(), randomBytes)
        const endpoint = stack.use(await serveApi({server, port, clock, dice, tokens, certificate, version: `v${version}`}))
        api = {url: endpoint.url, kubeconfig: endpoint.kubeconfigFor(tokens.user)}
        const rest = stack.use(restClient({url: endpoint.url, token: tokens.kubelet, ca: certificate.cert}))
        return remoteApi({client: rest, clock, nodeName: labNodeName})
      }
      const known = knowingPods(laterApi(opened(open())))
      names = known.known
      return known.api
    },
    cri: (port, world, clock) => {
      const open = async () => {
        const {routes} = stack.use(criRoutes({port, world, clock: client(clock)}))
        stack.use(await serveGrpc({path: runtime, routes, mode: 0o600}))
        const options = {path: runtime, clock: client(clock), logs, cgroupParent: '', realPath: toReal, signal: end.signal}
        return stack.use(await openRemoteCri(options)).port
      }
      return laterPort(opened(open()))
    },
    csi: (port, driver, clock) => {
      const open = async () => {
        await mkdir(root, {recursive: true, mode: 0o700})
        // When the lab ends its time stands still, and sockets close in real time.
        const closing = {...client(clock), sleep: own.real.sleep}
        const {endpoint, registration} = stack.use(await serveDriver({driver, port, clock: closing, root, nodeId: labNodeName}))
        drivers.push({name: driver.identity.pluginInfo().name, endpoint, registration})
        return remoteCsi({path: endpoint, clock: client(clock), realPath: toReal, podNames: (uid) => names(uid)})
      }
      return laterPort(opened(open()))
    },
    ready: async () => {
      await Promise.all(opening)
      return {...api, runtime, drivers}
    },
    [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose](),
  }
}
