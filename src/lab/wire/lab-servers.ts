// The servers of a lab's node on sockets of their own: its API server, its runtime, its drivers with their registration.
import {randomBytes} from 'node:crypto'
import {mkdir} from 'node:fs/promises'
import {join} from 'node:path'
import type {Clock} from '../../base/clock.ts'
import type {Dice} from '../../base/dice.ts'
import type {ScaledClock} from '../../base/scaled-clock.ts'
import type {ApiPort, CriPort, CsiPort} from '../../kubelet/ports.ts'
import {serveGrpc} from '../../wire/serve-grpc.ts'
import {newToken} from '../api/kubeconfig.ts'
import {selfSigned} from '../api/self-signed.ts'
import {serveApi} from '../api/serve-api.ts'
import type {ApiServer} from '../api-server/api-server.ts'
import {criRoutes} from '../cri-service/cri-routes.ts'
import type {RegistrationStatus} from '../csi-service/registration-routes.ts'
import {serveDriver} from '../csi-service/serve-driver.ts'
import type {LabDriver} from '../drivers/fake-driver.ts'
import {labNodeName} from '../lab-snapshot.ts'
import type {RestClientOptions} from '../remote/rest-client.ts'
import type {RuntimeWorld} from '../runtime/runtime-world.ts'

export interface LabServersOptions {
  /** For the sockets: a path that is short, and a folder for its owner alone. */
  readonly folder: string
  /** The kubelet's, where the drivers' sockets are. */
  readonly root: string
  readonly dice: Dice
  readonly clock: ScaledClock
  /** Of the API server: 'v1.36.2'. */
  readonly version: string
}

export interface ServedApi {
  /** 'https://127.0.0.1:40123' */
  readonly url: string
  readonly kubeconfigs: {readonly user: string; readonly kubelet: string}
  readonly clients: {readonly user: RestClientOptions; readonly kubelet: RestClientOptions}
}

export interface SocketsOfDriver {
  readonly name: string
  readonly endpoint: string
  readonly registration: string
}

export interface LabServers extends AsyncDisposable {
  /** Path of the runtime's socket. */
  readonly runtime: string
  /** The lab's time, in both of its paces. */
  clock(of: Clock): ScaledClock
  /** @param seedNode the node is there before a kubelet has registered it */
  api(port: ApiPort, server: ApiServer, clock: Clock, seedNode: boolean): Promise<ServedApi>
  cri(port: CriPort, world: RuntimeWorld, clock: Clock): Promise<void>
  csi(port: CsiPort, driver: LabDriver, clock: Clock, onStatus?: (status: RegistrationStatus) => void): Promise<SocketsOfDriver>
}

export function labServers({folder, root, dice, clock: own, version}: LabServersOptions): LabServers {
  const stack = new AsyncDisposableStack()
  const runtime = join(folder, 'runtime.sock')
  const clockOf = (clock: Clock): ScaledClock => ({...own, now: clock.now, sleep: clock.sleep})
  return {
    runtime,
    clock: clockOf,
    api: async (port, server, clock, seedNode) => {
      const tokens = {user: newToken(randomBytes), kubelet: newToken(randomBytes)}
      const certificate = selfSigned(own.real.now(), randomBytes)
      const {url, kubeconfigFor} = stack.use(await serveApi({server, port, clock, dice, tokens, certificate, version, seedNode}))
      const clientOf = (token: string) => ({url, token, ca: certificate.cert})
      return {
        url,
        kubeconfigs: {user: kubeconfigFor(tokens.user), kubelet: kubeconfigFor(tokens.kubelet)},
        clients: {user: clientOf(tokens.user), kubelet: clientOf(tokens.kubelet)},
      }
    },
    cri: async (port, world, clock) => {
      const {routes} = stack.use(criRoutes({port, world, clock: clockOf(clock)}))
      stack.use(await serveGrpc({path: runtime, routes, mode: 0o600}))
    },
    csi: async (port, driver, clock, onStatus) => {
      await mkdir(root, {recursive: true, mode: 0o700})
      // When the lab ends its time stands still, and sockets close in real time.
      const closing = {...clockOf(clock), sleep: own.real.sleep}
      const options = {driver, port, clock: closing, root, nodeId: labNodeName, ...(onStatus && {onStatus})}
      const {endpoint, registration} = stack.use(await serveDriver(options))
      return {name: driver.identity.pluginInfo().name, endpoint, registration}
    },
    [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose](),
  }
}
