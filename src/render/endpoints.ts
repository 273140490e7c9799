// The sockets that were tried.
import type {Probed} from '../node/endpoints/candidate.ts'
import {dataText} from './data.ts'
import {table} from './table.ts'

export interface EndpointsView {
  readonly candidates: readonly Probed[]
  readonly chosen: Probed | undefined
  readonly metadata: {readonly node: string; readonly when: string; readonly tool: string}
}

const header = ['ENDPOINT', 'SOURCE', 'STATE', 'WHY']

export async function renderEndpoints({candidates, chosen, metadata}: EndpointsView, output: 'table' | 'json' | 'yaml'): Promise<string> {
  const rows = candidates.map((candidate) => ({candidate, ...described(candidate, candidate === chosen)}))
  if (output === 'table') {
    return table(
      header,
      rows.map(({candidate: {endpoint, source}, state, why}) => [endpoint, source, state, why]),
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
  const data = {apiVersion: 'kubelimbo/v1', kind: 'Endpoints', metadata, chosen: chosen?.endpoint ?? null, items}
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
