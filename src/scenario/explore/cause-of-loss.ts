// What came between a call that has to be undone and that it was not: what of all the known ways to forget it may have been.
import type {Event} from '../../timeline/event.ts'
import type {VolumeLife} from './volume-lives.ts'

/** In words that tell kinds of violations apart: ', after a restart'; nothing where nothing came between. */
export function causeOfLoss({mode}: VolumeLife, events: readonly Event[], from: number, until: number): string {
  const isStep = (words: string, since: number) =>
    events.some((event) => event.kind === 'step' && since <= event.at && event.at <= until && event.text.startsWith(words))
  if (isStep('restart the kubelet', from)) return `, after a restart${mode === 'Block' ? ', raw block' : ''}`
  // While the call that made it is under way, too.
  if (isStep('remove plugins/', 0)) return ', after its directory was removed'
  const between = events.filter(({at}) => from <= at && at <= until)
  const asked = between.some((event) => event.kind === 'call' && event.method === 'NodeGetCapabilities' && (event.outcome ?? 'OK') !== 'OK')
  return asked ? ', after the driver could not be asked' : ''
}
