// The machine that commands run on. Its parts are loaded here, when a command runs, and not when its help is shown.
import type {Machine} from '../node/runtime-source.ts'

export async function thisMachine(signal: AbortSignal, waiting: Set<string>): Promise<Machine> {
  const [{systemClock}, {nodeHost}] = await Promise.all([import('../base/clock.ts'), import('../node/endpoints/host.ts')])
  return {host: nodeHost(process.env), clock: systemClock, signal, waiting, openBundle}
}

const openBundle: Machine['openBundle'] = async (path, options) => {
  const {openBundle} = await import('../node/bundle.ts')
  return openBundle(path, options)
}
