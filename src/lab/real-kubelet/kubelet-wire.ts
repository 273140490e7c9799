// The servers of a lab's node for a real kubelet: its calls go through the lab's ports, where rules and the timeline are.
import {type LabServersOptions, labServers, type ServedApi} from '../wire/lab-servers.ts'
import {openings} from '../wire/openings.ts'
import type {Wire} from '../wire/wire.ts'

export interface KubeletWire extends Wire, AsyncDisposable {
  /** Resolves when all of them listen. */
  ready(): Promise<WiredEndpoints>
}

export interface WiredEndpoints {
  readonly api: ServedApi
  /** Path of the runtime's socket. */
  readonly runtime: string
  /** Resolves when the kubelet has said that it has registered each driver. */
  registered(): Promise<void>
}

export function kubeletWire(options: LabServersOptions): KubeletWire {
  const servers = labServers(options)
  const opening = openings()
  const registrations: Promise<void>[] = []
  let api: Promise<ServedApi> | undefined
  return {
    quiesce: async () => undefined,
    api: (port, server, clock) => {
      api = opening.add(servers.api(port, server, clock, false))
      return port
    },
    cri: (port, world, clock) => {
      void opening.add(servers.cri(port, world, clock))
      return port
    },
    csi: (port, driver, clock) => {
      const registration = Promise.withResolvers<void>()
      registrations.push(registration.promise)
      const heard = ({registered}: {readonly registered: boolean}) => {
        if (registered) registration.resolve()
      }
      void opening.add(servers.csi(port, driver, clock, heard))
      return port
    },
    ready: async () => {
      await opening.all()
      if (api === undefined) throw new Error('the node has no API server')
      return {api: await api, runtime: servers.runtime, registered: async () => void (await Promise.all(registrations))}
    },
    [Symbol.asyncDispose]: () => servers[Symbol.asyncDispose](),
  }
}
