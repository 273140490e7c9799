// What lies between the kubelet and the servers of a lab's node: nothing, unless somebody puts sockets there.
import type {Clock} from '../../base/clock.ts'
import type {ApiPort, CriPort, CsiPort} from '../../kubelet/ports.ts'
import type {ApiServer} from '../api-server/api-server.ts'
import type {LabDriver} from '../drivers/fake-driver.ts'
import type {RuntimeWorld} from '../runtime/runtime-world.ts'

/** Each takes a port to a server and gives one that reaches it in another way. */
export interface Wire {
  api(port: ApiPort, server: ApiServer, clock: Clock): ApiPort
  cri(port: CriPort, world: RuntimeWorld, clock: Clock): CriPort
  csi(port: CsiPort, driver: LabDriver, clock: Clock): CsiPort
  /** Resolves when nothing is under way any more: simulated time stands still until then. */
  quiesce(): Promise<void>
}
