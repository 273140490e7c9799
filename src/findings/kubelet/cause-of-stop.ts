// What the kubelet waits for: a mount that hangs, else a runtime that does not answer. At most one of them is the cause.
import type {DetectContext} from '../detector.ts'
import type {Finding} from '../finding.ts'
import {deadMounts} from '../mounts/dead-mounts.ts'
import {deadMountSubject} from '../mounts/v09-dead-or-hung-mount.ts'
import {runtimeTroubles} from '../runtime/runtime-troubles.ts'
import {runtimeSubject} from '../runtime/unresponsive-runtime.ts'

/** The loop waits for what does not come: an error is an answer, and the images have a loop of their own. */
const holds: ReadonlySet<string> = new Set(['silent', 'unreachable', 'no service', 'breaks'])

export function causeOfStop(context: DetectContext): Finding['cause'] {
  const hung = deadMounts(context.snapshot).filter(({death}) => death.kind === 'silent')
  // The kubelet lists its root and what lies directly below it at every turn.
  const mount = hung.find(({mounts}) => mounts.some(({path}) => !path.includes('/'))) ?? hung[0]
  if (mount !== undefined) return {code: 'V09', subject: deadMountSubject(mount, context)}
  const troubles = runtimeTroubles(context)
  const stops = troubles?.calls.some(({method, what}) => method !== 'ListImages' && holds.has(what)) ?? false
  return troubles !== undefined && stops ? {code: 'R01', subject: runtimeSubject(troubles.answers)} : null
}
