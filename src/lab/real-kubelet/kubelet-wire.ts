// The servers of a lab's node on sockets, for a real kubelet: its calls go through the lab's ports, where rules and the timeline are.
import {randomBytes} from 'node:crypto'
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
import {labNodeName} from '../lab-snapshot.ts'
import {type RestClient, restClient} from '../remote/rest-client.ts'
import type {Wire} from '../wire/wire.ts'

export interface KubeletWireOptions {
  readonly folder: string
  /** The kubelet's, where the drivers' sockets are. */
  readonly root: string
  readonly dice: Dice
  readonly clock: ScaledClock
  /** Of the API server: 'v1.18.2'. */
  readonly version: string
}

export interface KubeletWire extends Wire, AsyncDisposable {
  /** Resolves when all of them listen. */
  ready(): Promise<WiredEndpoints>
}

export interface WiredEndpoints {
  readonly url: string
  readonly kubeconfigOfUser: string
  readonly kubeconfigOfKubelet: string
  /** As somebody with all rights. */
  readonly rest: RestClient
  /** Path of the runtime's socket. */
  readonly runtime: string
  readonly drivers: readonly {readonly name: string; readonly endpoint: string; readonly registration: string}[]
  /** Resolves when the kubelet has said that it has registered each driver. */
  registered(): Promise<void>
}

export function kubeletWire({folder, root, dice, clock: own, version}: KubeletWireOptions): KubeletWire {
  const stack = new AsyncDisposableStack()
  const runtime = join(folder, 'runtime.sock')
  const opening: Promise<unknown>[] = []
  const drivers: WiredEndpoints['drivers'][number][] = []
  const registrations: Promise<void>[] = []
  let api: Pick<WiredEndpoints, 'url' | 'kubeconfigOfUser' | 'kubeconfigOfKubelet' | 'rest'> | undefined
  const client = (clock: Clock): ScaledClock => ({...own, now: clock.now, sleep: clock.sleep})
  const opened = (work: Promise<unknown>) => {
    opening.push(work)
    // ready() tells of it.
    work.catch(() => undefined)
  }
  const openApi = async (port: Parameters<Wire['api']>[0], server: Parameters<Wire['api']>[1], clock: Clock) => {
    const tokens = {user: newToken(randomBytes), kubelet: newToken(randomBytes)}
    const certificate = selfSigned(own.real.now(), randomBytes)
    const options = {server, port, clock, dice, tokens, certificate, version, nodeName: labNodeName, seedNode: false}
    const {url, kubeconfigFor} = stack.use(await serveApi(options))
    const rest = stack.use(restClient({url, token: tokens.user, ca: certificate.cert}))
    api = {url, rest, kubeconfigOfUser: kubeconfigFor(tokens.user), kubeconfigOfKubelet: kubeconfigFor(tokens.kubelet)}
  }
  return {
    quiesce: async () => undefined,
    api: (port, server, clock) => {
      opened(openApi(port, server, clock))
      return port
    },
    cri: (port, world, clock) => {
      const open = async () => {
        const {routes} = stack.use(criRoutes({port, world, clock: client(clock)}))
        stack.use(await serveGrpc({path: runtime, routes, mode: 0o600}))
      }
      opened(open())
      return port
    },
    csi: (port, driver, clock) => {
      const registered = Promise.withResolvers<void>()
      registrations.push(registered.promise)
      const open = async () => {
        // When the lab ends its time stands still, and sockets close in real time.
        const closing = {...client(clock), sleep: own.real.sleep}
        const {endpoint, registration} = stack.use(
          await serveDriver({
            driver,
            port,
            clock: closing,
            root,
            nodeId: labNodeName,
            onStatus: ({registered: isRegistered}) => {
              if (isRegistered) registered.resolve()
            },
          }),
        )
        drivers.push({name: driver.identity.pluginInfo().name, endpoint, registration})
      }
      opened(open())
      return port
    },
    ready: async () => {
      await Promise.all(opening)
      if (api === undefined) throw new Error('the node has no API server')
      return {...api, runtime, drivers, registered: async () => void (await Promise.all(registrations))}
    },
    [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose](),
  }
}
