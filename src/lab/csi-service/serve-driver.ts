// A driver of the lab and its registration on the sockets where a kubelet looks for them. With the driver's process its socket goes and comes back; the
// registrar is a process of its own.
import {mkdir} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import type {CsiMethods} from '../../kubelet/csi.ts'
import {type GrpcServer, type GrpcServerOptions, serveGrpc} from '../../wire/serve-grpc.ts'
import {pathMap} from '../disk/path-map.ts'
import type {LabDriver} from '../drivers/fake-driver.ts'
import type {SocketTarget} from '../port/socket-call.ts'
import {csiRoutes} from './csi-routes.ts'
import {provisioned} from './provisioned.ts'
import {type RegistrationStatus, registrationRoutes} from './registration-routes.ts'

export interface ServeDriverOptions extends SocketTarget<CsiMethods> {
  readonly driver: LabDriver
  /** The kubelet's, on this machine. */
  readonly root: string
  readonly nodeId: string
  readonly onStatus?: (status: RegistrationStatus) => void
}

export interface ServedDriver extends AsyncDisposable {
  /** Path of the driver's socket. */
  readonly endpoint: string
  /** Path of the registrar's socket. */
  readonly registration: string
  /** The registrar comes, or goes. */
  register(isThere: boolean): void
  /** Resolves when the sockets are as they should be by now. */
  settled(): Promise<void>
}

/** Both sockets are there when it resolves, if the driver is up. */
export async function serveDriver(options: ServeDriverOptions): Promise<ServedDriver> {
  const {driver, port, root, nodeId, clock, onStatus} = options
  const {name} = driver.identity.pluginInfo()
  const endpoint = join(root, 'plugins', name, 'csi.sock')
  const registration = join(root, 'plugins_registry', `${name}-reg.sock`)
  const {toModel} = pathMap(root)
  const routes = csiRoutes({driver, port, clock, nodeId, toModel, volumes: provisioned(driver)})
  const csi = await movable({path: endpoint, routes}, clock)
  const registrationOptions = {name, endpoint, ...(onStatus === undefined ? {} : {onStatus})}
  const registrar = await movable({path: registration, routes: registrationRoutes(registrationOptions)}, clock)
  const unwatch = driver.watch(csi.be)
  csi.be(driver.identity.probe().ready)
  registrar.be(true)
  const settled = async () => void (await Promise.all([csi.settled(), registrar.settled()]))
  await settled()
  return {
    endpoint,
    registration,
    register: registrar.be,
    settled,
    [Symbol.asyncDispose]: async () => {
      unwatch()
      csi.be(false)
      registrar.be(false)
      await settled()
    },
  }
}

interface Movable {
  /** One change after the other. */
  be(up: boolean): void
  settled(): Promise<void>
}

async function movable(options: GrpcServerOptions, clock: ServeDriverOptions['clock']): Promise<Movable> {
  await mkdir(dirname(options.path), {recursive: true})
  let server: GrpcServer | undefined
  let last: Promise<void> = Promise.resolve()
  const move = async (up: boolean) => {
    if (up) server ??= await serveGrpc(options)
    else {
      // What was under way is UNAVAILABLE first, and most clients hear it; else its caller would have left.
      await clock.sleep(0)
      await server?.[Symbol.asyncDispose]()
      server = undefined
    }
  }
  return {
    be: (up) => {
      last = last.then(() => move(up))
      // Who waits for it hears of a failure.
      last.catch(() => {})
    },
    settled: () => last,
  }
}
