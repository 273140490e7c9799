// What a server is, before anybody stands in front of it: a client of a container runtime keeps its connection, one of a CSI driver dials for each call.
import type {Clock} from '../../base/clock.ts'
import type {Service} from '../../timeline/event.ts'
import {openCri} from '../../wire/cri-client.ts'
import {openCsi} from '../../wire/csi-client.ts'

const patience = 2000

/** Undefined when it does not say. @throws the signal's reason */
export async function askCallee(path: string, clock: Clock, signal: AbortSignal): Promise<Service | undefined> {
  const options = {path, clock, signal, connectTimeoutMs: patience, callTimeoutMs: patience}
  const cri = async (): Promise<Service> => {
    await using _client = await openCri(options)
    return 'cri'
  }
  const csi = async (): Promise<Service> => {
    using client = await openCsi(options)
    await client.getPluginInfo()
    return 'csi'
  }
  const answers = await Promise.allSettled([cri(), csi()])
  signal.throwIfAborted()
  return answers.find((answer) => answer.status === 'fulfilled')?.value
}
