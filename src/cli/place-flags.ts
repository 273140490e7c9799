// Where an injector stands: on a path of its own, or in the place of a server's.
import {resolve} from 'node:path'
import {boolean, string} from '@oclif/core/flags'
import {systemClock} from '../base/clock.ts'
import {UserError} from '../base/errors.ts'
import type {InjectPlace} from '../inject.ts'
import {nodeHost} from '../node/endpoints/host.ts'
import {parseProxyAddress} from '../proxy/listen/proxy-address.ts'
import type {KnownNames} from '../proxy/stand/known-names.ts'
import {journalsOf} from '../proxy/takeover/journal-folder.ts'
import {parseTakenSocket} from '../proxy/takeover/parse-taken-socket.ts'
import {watchdogStarter} from '../proxy/takeover/watchdog/start-watchdog.ts'
import {onceMore} from './once-more.ts'
import {owner} from './owner.ts'

export const ownPlaceFlags = {
  listen: string({helpValue: 'ENDPOINT', description: 'where clients find the proxy: unix:///tmp/csi.sock, @name, or tcp:127.0.0.1:PORT'}),
  upstream: string({helpValue: 'ENDPOINT', description: 'the server behind it: unix:///csi/csi.sock'}),
}

export const placeFlags = {
  ...ownPlaceFlags,
  socket: string({
    helpValue: 'PATH',
    exclusive: ['listen', 'upstream'],
    description:
      "a server's own socket, which is taken over for the time, and given back whatever happens (a recipe: that of the server that it found)",
  }),
  force: boolean({
    exclusive: ['listen'],
    description: 'of a takeover: on a node of the control plane, too, and calls about kube-system are no longer left alone',
  }),
  journals: string({
    helpValue: 'DIR',
    exclusive: ['listen'],
    description: 'of a takeover: where its journal is to be (else takeover in /run/kubelimbo or $XDG_RUNTIME_DIR/kubelimbo)',
  }),
}

interface OwnPlaceValues {
  readonly listen?: string | undefined
  readonly upstream?: string | undefined
}

export interface PlaceValues extends OwnPlaceValues {
  readonly socket?: string | undefined
  readonly force?: boolean
  readonly journals?: string | undefined
  readonly 'host-root'?: string | undefined
}

/** What was found of the node. */
export interface FoundPlace {
  /** The server's socket, of a recipe. */
  readonly upstream?: string
  readonly names?: () => Promise<KnownNames>
}

/** @param hurry the second Ctrl-C @throws UserError */
export function injectPlace(flags: PlaceValues, {upstream: found, names = noNames}: FoundPlace, hurry: AbortSignal): InjectPlace {
  const {listen, upstream = found, force = false, journals, 'host-root': root} = flags
  const socket = flags.socket ?? (listen === undefined ? found : undefined)
  if (socket === undefined) return ownPlace({listen, upstream}, 'inject', '--listen or --socket')
  const host = nodeHost(process.env)
  return {
    take: {
      socket: parseTakenSocket(socket, '--socket'),
      journals: journals === undefined ? journalsOf(owner()) : resolve(journals),
      force,
      names,
      startWatchdog: watchdogStarter({command: onceMore(['takeover-watchdog']), env: process.env, clock: systemClock}),
      host: root === undefined ? host : host.at(root),
      hurry,
    },
  }
}

const noNames = async (): Promise<KnownNames> => ({knownPods: [], knownVolumes: []})

/** @throws UserError */
export function ownPlace(
  {listen, upstream}: OwnPlaceValues,
  verb: string,
  either = '--listen',
): {readonly listen: string; readonly upstream: string} {
  if (listen === undefined || upstream === undefined)
    throw new UserError(`Cannot ${verb} as ${listen === undefined ? either : '--upstream'} must be given: it is not`, {
      hint: '--listen is where clients find the proxy, --upstream the server behind it',
    })
  parseProxyAddress(listen, '--listen')
  parseProxyAddress(upstream, '--upstream')
  return {listen, upstream}
}
