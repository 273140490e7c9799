// The machine that commands run on. Its parts are loaded here, when a command runs, and not when its help is shown.
import {UserError} from '../base/errors.ts'
import type {Machine} from '../runtime-source.ts'

export async function thisMachine(signal: AbortSignal): Promise<Machine> {
  const [{systemClock}, {nodeHost}] = await Promise.all([import('../base/clock.ts'), import('../node/endpoints/host.ts')])
  return {host: nodeHost(process.env), clock: systemClock, signal, openBundle}
}

/** The one place that reads bundles: it becomes `(await import('../node/bundle.ts')).openBundle(path)`. */
async function openBundle(path: string): Promise<never> {
  throw new UserError(`Cannot read the bundle '${path}' as this build must have a reader for bundles: it has none yet`)
}
