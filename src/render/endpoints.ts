// The sockets that were tried, and those that were taken over.
import {formatInstant, readInstant} from '../base/instant.ts'
import {takeoverState} from '../findings/takeovers/takeover-state.ts'
import type {Probed} from '../node/endpoints/candidate.ts'
import type {TakeoverJournal} from '../node/takeover/takeover.ts'
import {endpointOf} from '../wire/socket-address.ts'
import {dataText} from './data.ts'
import {table} from './table.ts'

export interface EndpointsView {
  readonly candidates: readonly Probed[]
  readonly chosen: Probed | undefined
  readonly metadata: {readonly node: string; readonly when: string; readonly tool: string}
  readonly takeovers: readonly TakeoverJournal[]
}

const header = ['ENDPOINT', 'SOURCE', 'STATE', 'WHY']

export async function renderEndpoints(view: EndpointsView, output: 'table' | 'json' | 'yaml'): Promise<string> {
  const {candidates, chosen, metadata} = view
  const rows = candidates.map((candidate) => ({candidate, ...described(candidate, candidate === chosen)}))
  const taken = view.takeovers.map((each) => takenRow(each, readInstant(metadata.when) ?? 0))
  if (output === 'table') {
    const tried = rows.map(({candidate: {endpoint, source}, state, why}) => ({endpoint, source, state, why}))
    return table(
      header,
      [...tried, ...taken].map(({endpoint, source, state, why}) => [endpoint, source, state, why]),
    )
  }
  const items = rows.map(({candidate: {endpoint, source, outcome}, state, why}) => ({
    endpoint,
    source,
    state,
    ...(outcome.state === 'answers'
      ? {runtime: {name: outcome.runtime.name, version: outcome.runtime.version, api: outcome.runtime.api}}
      : {why}),
  }))
  const data = {
    apiVersion: 'kubelimbo/v1',
    kind: 'Endpoints',
    metadata,
    chosen: chosen?.endpoint ?? null,
    items,
    ...(taken.length > 0 && {takeovers: taken}),
  }
  return dataText(data, output)
}

function described({outcome}: Probed, isChosen: boolean): {readonly state: string; readonly why: string} {
  switch (outcome.state) {
    case 'answers':
      return {state: isChosen ? 'used' : 'answers', why: `${outcome.runtime.name} ${outcome.runtime.version} (${outcome.runtime.api})`}
    case 'same':
      return {state: 'same', why: `the same socket as ${outcome.as}`}
    default:
      return {state: outcome.state, why: outcome.why}
  }
}

function takenRow(journal: TakeoverJournal, when: number) {
  const {path, socket, pid, command, expiresAt, holder, unreadable} = journal
  // Older journals do not say which.
  const who = command === undefined ? 'kubelimbo' : `kubelimbo ${command}`
  const source = pid === undefined ? who : `${who} (pid ${pid})`
  const until = expiresAt === undefined ? undefined : formatInstant(expiresAt)
  const of = {
    endpoint: socket === undefined ? path : endpointOf(socket),
    source,
    journal: path,
    ...(pid !== undefined && {pid}),
    ...(until && {expiresAt: until}),
  }
  const state = takeoverState(journal, when)
  switch (state) {
    case 'in force':
      return {...of, state: 'taken over', why: `until ${until}${holder === undefined ? '; whether its process lives cannot be seen' : ''}`}
    case 'unwatched':
      return {...of, state: 'taken over', why: `until ${until}; its watchdog is gone`}
    case 'about to be':
      return {...of, state: 'own', why: `it is about to be taken over until ${until}, or is given back at this moment`}
    case 'journal left':
      return {...of, state: 'own', why: "its server's; a journal of a takeover is left: kubelimbo restore removes it"}
    case 'server has it':
      return {...of, state: 'own', why: 'its server has restarted; a journal of a takeover is left: kubelimbo restore removes it'}
    case 'gone':
      return {...of, state: 'left behind', why: 'its process is gone: kubelimbo restore gives it back'}
    case 'other boot':
      return {...of, state: 'left behind', why: 'of an earlier boot of the node: kubelimbo restore cleans up'}
    case 'overdue':
      return {...of, state: 'left behind', why: `it should have ended at ${until}: kubelimbo restore gives it back`}
    case 'unreadable':
      return {...of, state: 'unreadable', why: `the journal of a takeover: ${unreadable ?? 'it names no socket'}`}
    default:
      return state satisfies never
  }
}
