// What a server is, before anybody stands in front of it: a client of a container runtime keeps its connection, one of a CSI driver dials for each call.
import type {Clock} from '../../base/clock.ts'
import {openCri} from '../../wire/cri-client.ts'
import {openCsi} from '../../wire/csi-client.ts'

export type Answerer = 'cri' | 'csi'

const patience = 2000

/** Undefined when it does not say. @throws the signal's reason */
export async function askCallee(path: string, clock: Clock, signal: AbortSignal): Promise<Answerer | undefined> {
  const options = {path, clock, signal, connectTimeoutMs: patience, callTimeoutMs: patience}
  const cri = async (): Promise<Answerer> => {
    await using _client = await openCri(options)
    return 'cri'
  }
  const csi = async (): Promise<Answerer> => {
    using client = await openCsi(options)
    await client.getPluginInfo()
    return 'csi'
  }
  const answers = await Promise.allSettled([cri(), csi()])
  signal.throwIfAborted()
  return answers.find((answer) => answer.status === 'fulfilled')?.value
}
