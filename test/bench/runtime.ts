// The runtime that is measured against: a real containerd, or where its parts are missing the fake one.
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {startContainerd} from '../support/containerd.ts'
import {findParts} from '../support/containerd-parts.ts'
import {runPod} from '../support/crictl-pods.ts'
import {fakeRuntime} from '../support/fake-runtime.ts'

export interface Runtime extends AsyncDisposable {
  readonly name: string
  readonly endpoint: string
}

export async function startRuntime(sandboxes: number): Promise<Runtime> {
  const found = findParts()
  if ('missing' in found) return startFake(sandboxes, found.missing)
  const rig = await startContainerd()
  const stop = () => rig[Symbol.asyncDispose]()
  try {
    for (let at = 0; at < sandboxes; at++) await runPod(rig, {name: `pod-${at}`})
  } catch (error) {
    await stop()
    throw error
  }
  return {name: 'A real containerd', endpoint: rig.endpoint, [Symbol.asyncDispose]: stop}
}

// It answers out of this process, which does nothing else while a command runs.
async function startFake(count: number, missing: readonly string[]): Promise<Runtime> {
  const folder = await mkdtemp(join(tmpdir(), 'limbo-'))
  const sandboxes = Array.from({length: count}, (_, at) => ({id: `${at}`.repeat(64).slice(0, 64), metadata: {name: `pod-${at}`}}))
  const fake = await fakeRuntime({path: join(folder, 'cri.sock'), sandboxes})
  return {
    name: `The fake runtime, as this machine lacks ${missing.join(', ')},`,
    endpoint: `unix://${fake.path}`,
    [Symbol.asyncDispose]: async () => {
      await fake[Symbol.asyncDispose]()
      await rm(folder, {recursive: true})
    },
  }
}
