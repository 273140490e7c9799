// Flags of restore, and the request that the verb takes.
import {resolve} from 'node:path'
import {string as word} from '@oclif/core/args'
import {boolean, string} from '@oclif/core/flags'
import {systemClock} from '../base/clock.ts'
import {journalsOf} from '../proxy/takeover/journal-folder.ts'
import {parseTakenSocket} from '../proxy/takeover/parse-taken-socket.ts'
import type {RestoreRequest} from '../restore.ts'
import {outputFlags} from './flags.ts'
import {owner} from './owner.ts'

export const restoreArgs = {socket: word({description: 'this one alone (else all)'})}

export const restoreFlags = {
  journals: string({
    helpValue: 'DIR',
    description:
      'the folder of journals that inject was given (else /run/kubelimbo/takeover, or $XDG_RUNTIME_DIR/kubelimbo/takeover for others than root)',
  }),
  'dry-run': boolean({description: 'say what was taken over, and do nothing'}),
  ...outputFlags,
}

interface RestoreValues {
  readonly journals?: string | undefined
  readonly 'dry-run': boolean
}

export function restoreRequest({journals, 'dry-run': dryRun}: RestoreValues, socket: string | undefined, tool: string): RestoreRequest {
  const me = owner()
  return {
    journals: journals === undefined ? journalsOf(me) : resolve(journals),
    named: journals !== undefined,
    ...(socket !== undefined && {socket: parseTakenSocket(socket, 'SOCKET')}),
    uid: me.uid,
    dryRun,
    node: process.env.NODE_NAME ?? '',
    tool,
    clock: systemClock,
  }
}
