// What lies on the disk at a moment of a run, against what was expected there.
import {diskState} from '../../timeline/disk-state.ts'
import {pathMatches} from '../path-pattern.ts'
import type {OnDisk} from '../schema/expectation.ts'
import {diskWords} from './matcher-words.ts'
import {type Checked, type RunRecord, since} from './run-record.ts'
import {windowOf} from './window.ts'

export function checkDisk({onDisk, at}: OnDisk, record: RunRecord): Checked {
  const window = windowOf(at === undefined ? {since: record.end - record.start} : {since: at}, record)
  if (typeof window === 'string') return {held: false, why: window}
  const {from} = window
  // What comes at that moment has come.
  const before = record.events.filter(
    (event, order) => event.at < from.at || (event.at === from.at && (from.order < 0 || order <= from.order)),
  )
  const {paths, mounted} = diskState(before.flatMap((event) => (event.kind === 'disk' ? [event] : [])))
  const found = [...(onDisk.is === 'mounted' ? mounted : paths)].filter((path) => pathMatches(onDisk.path, path))
  const when = at === undefined ? 'in the end' : since(record, from.at)
  const held = found.length > 0 !== (onDisk.is === 'absent')
  const [first] = found
  const what =
    first === undefined
      ? held
        ? ''
        : ': nothing such was there'
      : `: ${first}${found.length === 1 ? '' : ` and ${found.length - 1} more`}`
  return {held, why: `${diskWords(onDisk)} ${when}${what}`}
}
