// Who stops an injector before it has begun is told that nothing was changed.
import type {InjectRequest} from '../inject.ts'
import type {InjectHears} from '../proxy/control/inject-hears.ts'
import {Interrupted} from './interrupted.ts'

/** @throws what `inject` throws */
export async function tellingIfEarly(
  inject: (request: InjectRequest, hears: InjectHears) => Promise<void>,
  request: InjectRequest,
  hears: InjectHears,
  tell: (text: string) => void,
): Promise<void> {
  let begun = false
  const started: InjectHears['started'] = (told) => {
    begun = true
    hears.started(told)
  }
  try {
    await inject(request, {...hears, started})
  } catch (error) {
    if (!begun && error instanceof Interrupted)
      tell(`Stopped before it began: ${'take' in request ? 'nothing was taken over' : 'nothing was changed'}.`)
    throw error
  }
}
