import {expect, test} from 'vitest'
import {diskState} from '../../src/timeline/disk-state.ts'
import type {DiskEvent} from '../../src/timeline/event.ts'

const stateAfter = (...changes: readonly string[]) => {
  const events = changes.map((change): DiskEvent => {
    const [what, path = ''] = change.split(' ')
    return {kind: 'disk', at: 0, what: what as DiskEvent['what'], path, entry: 'directory'}
  })
  const {paths, mounted} = diskState(events)
  return {paths: [...paths].sort(), mounted: [...mounted]}
}

test.each<[string, string[], string[], string[]]>([
  ['what is made is there, with the folders above it', ['made /a/b/c'], ['/a', '/a/b', '/a/b/c'], []],
  ['what is removed is gone with all that was in it', ['made /a/b/c', 'made /a/bc', 'removed /a/b'], ['/a', '/a/bc'], []],
  ['what is mounted covers what was there', ['made /a/b', 'mounted /a', 'made /a/c'], ['/a', '/a/c'], ['/a']],
  ['what was covered is there again', ['made /a/b', 'mounted /a', 'made /a/c', 'unmounted /a'], ['/a', '/a/b'], []],
  ['of two mounts one is left', ['made /a', 'mounted /a', 'made /a/b', 'mounted /a', 'unmounted /a'], ['/a', '/a/b'], ['/a']],
])('diskState(): %s', (_, changes, paths, mounted) => {
  expect(stateAfter(...changes)).toEqual({paths, mounted})
})
