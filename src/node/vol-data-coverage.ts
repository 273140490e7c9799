// Whether every vol_data.json that was listed was also read: from what is missing nothing may be concluded.
import type {Reading} from './reading.ts'
import type {Readings} from './snapshot.ts'

/** The reading of the files, incomplete when the entries list some that it lacks. */
export function coveredVolData({'disk.entries': entries, 'disk.vol-data': files}: Readings): Readings['disk.vol-data'] {
  if (entries.state !== 'read' || files.state !== 'read' || files.incomplete !== undefined) return files
  const have = new Set(files.value.map(({path}) => path))
  const lacking = entries.value.filter(({path, type}) => type === 'file' && path.endsWith('/vol_data.json') && !have.has(path)).length
  return lacking === 0 ? files : incomplete(files, `${lacking} of ${have.size + lacking} vol_data.json files were not read`)
}

function incomplete<T>(reading: Extract<Reading<T>, {readonly state: 'read'}>, why: string): Reading<T> {
  return {...reading, incomplete: why}
}
