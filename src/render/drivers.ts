// CSI drivers in the format that was asked for.
import type {Driver} from '../node/csi/join-drivers.ts'
import {dataText} from './data.ts'
import {table, widestCell} from './table.ts'

interface DriversData {
  readonly items: readonly Driver[]
  readonly metadata: {readonly node: string; readonly when: string; readonly tool: string}
}

const header = ['NAME', 'VERSION', 'STATE', 'REGISTERED', 'VOLUMES', 'CAPABILITIES', 'SOCKET']

/** Where nothing is known. */
const none = '-'

export async function renderDrivers({items, metadata}: DriversData, output: 'table' | 'json' | 'yaml'): Promise<string> {
  if (output !== 'table') return dataText({apiVersion: 'kubelimbo/v1', kind: 'Drivers', metadata, items}, output)
  return table(header, items.map(cells), widestCell)
}

function cells(driver: Driver): string[] {
  const {version, registered, volumes, capabilities, socket} = driver
  return [
    nameOf(driver),
    version || none,
    stateOf(driver),
    registered.state === 'yes' ? 'yes' : `${registered.state}: ${registered.why}`,
    volumes === undefined ? none : String(volumes),
    capabilities?.join(',') || none,
    socket ?? none,
  ]
}

function nameOf({name, ownName}: Driver): string {
  return ownName === undefined ? name || none : `${name || none} (calls itself ${ownName || none})`
}

function stateOf({answer, ready}: Driver): string {
  if (answer === undefined) return none
  if (answer.state === 'answers') return ready === false ? 'not ready' : 'answers'
  return answer.state === 'failed' ? `failed: ${answer.why}` : answer.state
}
