// Takes away what a lab's kubelet has left in a real runtime: the sandboxes of its pods, with their containers.
import type {Clock} from '../../base/clock.ts'
import {firstLine, UserError} from '../../base/errors.ts'
import {exitCodes} from '../../base/exit-codes.ts'
import {CallFailure} from '../../kubelet/port.ts'
import type {CriPort} from '../../kubelet/ports.ts'

const patience = {timeoutMs: 60_000}

/** A call that was cut off may still come to an end there, and be in the way until then. */
const tries = 60
const pauseMs = 500

/** @throws UserError when something is left */
export async function removePods(port: CriPort, uids: ReadonlySet<string>, clock: Clock): Promise<void> {
  let left = ''
  let clean = false
  for (let each = 0; each < tries; each++) {
    if (each > 0) await clock.sleep(pauseMs)
    try {
      const ours = await sandboxesOf(port, uids)
      // What was being made when its caller left may come a moment later.
      if (ours.length === 0 && clean) return
      clean = ours.length === 0
      left = ours.map(({id}) => id.slice(0, 13)).join(', ')
      for (const {id: podSandboxId} of ours) {
        await port.call('StopPodSandbox', {podSandboxId}, patience)
        await port.call('RemovePodSandbox', {podSandboxId}, patience)
      }
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error
      left = firstLine(error)
    }
  }
  throw new UserError(`Cannot leave the container runtime as it was, as all pods of the lab must go: what is left is ${left}`, {
    hint: 'crictl rmp -f removes a pod',
    exit: exitCodes.dirty,
  })
}

async function sandboxesOf(port: CriPort, uids: ReadonlySet<string>) {
  return (await port.call('ListPodSandbox', {}, patience)).filter(({metadata}) => uids.has(metadata.uid))
}
