// A snapshot as a bundle of it would give it back: what is redacted there and not here would be a difference that there is not.
import {firstLine} from '../../base/errors.ts'
import {failed, type Reading, read} from '../reading.ts'
import {type Readings, type Snapshot, type SourceName, sourceNames} from '../snapshot.ts'
import {coveredVolData} from '../vol-data-coverage.ts'
import {decoders} from './decode.ts'
import {encoders} from './encode.ts'
import {bundleContent} from './write.ts'

/** Of a snapshot with its raw replies: without one a source counts as not read, as it does in a bundle. */
export function asKept(snapshot: Snapshot): Snapshot {
  // Its readings are all that is asked for.
  const {node, when, kubeletRoot, kubeletVersion, readings: taken} = snapshot
  const {files} = bundleContent({node, when, kubeletRoot, kubeletVersion, readings: taken, unread: {}}, '')
  const readings = Object.fromEntries(
    sourceNames.map((name) => [name, keptReading(name, snapshot, files.get(encoders[name].file))]),
  ) as unknown as Readings
  return {...snapshot, readings: {...readings, 'disk.vol-data': coveredVolData(readings)}}
}

function keptReading(name: SourceName, {readings, when}: Snapshot, text: string | undefined): Reading<unknown> {
  const reading = readings[name]
  if (reading.state !== 'read') return reading
  if (text === undefined) return failed('the reply was not kept')
  try {
    const {value, incomplete} = decoders[name](text, {when})
    return read<unknown>(value, reading.incomplete ?? incomplete)
  } catch (error) {
    return failed(firstLine(error))
  }
}
