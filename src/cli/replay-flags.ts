// Flags of `replay`.
import {boolean, option, string} from '@oclif/core/flags'
import {parseDuration} from '../base/duration.ts'
import {UserError} from '../base/errors.ts'
import {given} from './flags.ts'

export const replayFlags = {
  dir: string({
    helpValue: 'DIR',
    description:
      'a new or empty folder for it; at the end what was made is gone, the folder too when it is new (else one in the temporary directory)',
  }),
  for: string({helpValue: '10m', description: 'how long (else until Ctrl-C)'}),
  output: option({char: 'o', options: ['text', 'json'] as const, default: 'text', description: 'format of what is said at its start'})(),
  json: boolean({description: 'the same as -o json, whatever -o says'}),
}

/** @throws UserError */
export function replayRequest(file: string, {dir, for: time}: {readonly dir?: string | undefined; readonly for?: string | undefined}) {
  if (dir === '') throw new UserError('Cannot use --dir as it must name a directory: it is empty')
  const forMs = time === undefined ? undefined : parseDuration(time, '--for')
  if (forMs === 0) throw new UserError(`Cannot use --for as it must be more than nothing: it is '${time}'`)
  return {file, ...given({dir, forMs})}
}
