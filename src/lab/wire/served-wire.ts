// The servers of a lab's node on sockets that anybody may use, and its kubelet as one of their clients: in real time, or some times as fast.
import {join} from 'node:path'
import {pathMap} from '../disk/path-map.ts'
import {labNodeName} from '../lab-snapshot.ts'
import {knowingPods} from '../remote/known-pods.ts'
import {laterApi, laterPort} from '../remote/later-port.ts'
import {podLogs} from '../remote/pod-logs.ts'
import {remoteApi} from '../remote/remote-api.ts'
import {openRemoteCri} from '../remote/remote-cri.ts'
import {remoteCsi} from '../remote/remote-csi.ts'
import {restClient} from '../remote/rest-client.ts'
import {type LabServersOptions, labServers, type SocketsOfDriver} from './lab-servers.ts'
import {openings} from './openings.ts'
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
  readonly drivers: readonly SocketsOfDriver[]
}

export interface ServedWireOptions extends Omit<LabServersOptions, 'version'> {
  /** Of the kubelet: '1.36.2'. */
  readonly version: string
}

export function servedWire({version, ...options}: ServedWireOptions): ServedWire {
  const {folder, root} = options
  const stack = new AsyncDisposableStack()
  const end = new AbortController()
  stack.defer(() => end.abort(new Error('the lab has ended')))
  const servers = stack.use(labServers({...options, version: `v${version}`}))
  const {toReal} = pathMap(root)
  const logs = podLogs(join(folder, 'pod-logs'))
  const opening = openings()
  const drivers: SocketsOfDriver[] = []
  let api: Pick<ServedEndpoints, 'url' | 'kubeconfig'> = {url: '', kubeconfig: ''}
  let names: ReturnType<typeof knowingPods>['known'] = () => undefined
  return {
    // Time goes on by itself: nobody waits for it to stand still.
    quiesce: async () => undefined,
    api: (port, server, clock) => {
      const open = async () => {
        const {url, kubeconfigs, clients} = await servers.api(port, server, clock, true)
        api = {url, kubeconfig: kubeconfigs.user}
        return remoteApi({client: stack.use(restClient(clients.kubelet)), clock, nodeName: labNodeName})
      }
      const known = knowingPods(laterApi(opening.add(open())))
      names = known.known
      return known.api
    },
    cri: (port, world, own) => {
      const clock = servers.clock(own)
      const open = async () => {
        await servers.cri(port, world, own)
        const to = {path: servers.runtime, clock, logs, cgroupParent: '', realPath: toReal, signal: end.signal}
        return stack.use(await openRemoteCri(to)).port
      }
      return laterPort(opening.add(open()))
    },
    csi: (port, driver, own) => {
      const open = async () => {
        const sockets = await servers.csi(port, driver, own)
        drivers.push(sockets)
        return remoteCsi({path: sockets.endpoint, clock: servers.clock(own), realPath: toReal, podNames: (uid) => names(uid)})
      }
      return laterPort(opening.add(open()))
    },
    ready: async () => {
      await opening.all()
      return {...api, runtime: servers.runtime, drivers}
    },
    [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose](),
  }
}
