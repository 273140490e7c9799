// Volumes as a table or as data.
import type {VolumeRow} from '../findings/volumes/volume-rows.ts'
import {dataText} from './data.ts'
import {table, widestCell} from './table.ts'

export interface VolumesView {
  readonly metadata: {readonly node: string; readonly when: string; readonly tool: string}
  readonly volumes: readonly VolumeRow[]
}

const header = ['POD', 'VOLUME', 'DRIVER', 'HANDLE', 'MODE', 'STAGE', 'PUBLISH', 'DEVICE', 'STATE', 'VERDICT']

export async function renderVolumes({metadata, volumes}: VolumesView, output: 'table' | 'json' | 'yaml'): Promise<string> {
  if (output === 'table') return table(header, volumes.map(cells), widestCell)
  return dataText({apiVersion: 'kubelimbo/v1', kind: 'Volumes', metadata, items: volumes}, output)
}

function cells(row: VolumeRow): readonly string[] {
  const {namespace, pod, podUid, volume, driver, handle, mode, inline, stage, publish, device, state, codes} = row
  return [
    pod === undefined ? (podUid ?? '-') : `${namespace ?? ''}/${pod}`,
    volume ?? '-',
    driver ?? '-',
    handle ?? '-',
    inline ? `${mode}, inline` : mode,
    stage,
    publish,
    device ?? '-',
    state,
    codes.length === 0 ? '-' : codes.join(', '),
  ]
}
