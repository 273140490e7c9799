import {expect, test} from 'vitest'
import {missingSince, sinceAt} from '../../src/findings/since.ts'
import type {DiskEntry} from '../../src/node/disk.ts'
import {failed, read} from '../../src/node/reading.ts'
import {at, snapshotOf} from '../support/snapshot-builder.ts'

test.each<[what: string, at: number | undefined, field: object]>([
  ['nothing where nothing tells', undefined, {}],
  ['a moment that is past', at(-60), {since: '2026-11-30T02:59:00Z'}],
  ['now for a moment to come, as a clock that ran ahead gives', at(60), {since: '2026-11-30T03:00:00Z'}],
  ['1970 for what is before it', -1, {since: '1970-01-01T00:00:00Z'}],
])('sinceAt() says %s', (_what, moment, field) => {
  expect(sinceAt(moment, at(0))).toEqual(field)
})

const entry = (path: string, more: Partial<DiskEntry> = {}): DiskEntry => ({
  path,
  type: 'directory',
  mode: 0o750,
  size: 0,
  modifiedAt: at(-60),
  ...more,
})
const missing = (path: string, ...entries: readonly DiskEntry[]) =>
  missingSince(snapshotOf({sources: {'disk.entries': [entry('', {modifiedAt: at(-900)}), ...entries]}}), path)

test('missingSince() takes the change of the directory that it would lie in, and names it', () => {
  const proof = {at: at(-60), evidence: [{source: 'disk.entries', fact: 'plugins/d was last changed at 2026-11-30T02:59:00Z'}]}
  expect(missing('plugins/d/csi.sock', entry('plugins', {modifiedAt: at(-300)}), entry('plugins/d'))).toEqual(proof)
})

test('missingSince() takes the next directory above when that one is missing, too', () => {
  expect(missing('plugins/d/csi.sock', entry('plugins'))?.evidence[0]?.fact).toMatch(/^plugins was/)
})

test.each<[string, () => unknown]>([
  ['of what is there', () => missing('plugins/d', entry('plugins'), entry('plugins/d'))],
  ['below something else than a directory', () => missing('plugins/d/csi.sock', entry('plugins'), entry('plugins/d', {type: 'link'}))],
  ['below a directory that nobody dated', () => missing('plugins/d', {path: 'plugins', type: 'directory', mode: 0, size: 0})],
  ['where no directory of it was listed', () => missingSince(snapshotOf({sources: {'disk.entries': []}}), 'plugins/d')],
])('missingSince() says nothing %s', (_what, ask) => {
  expect(ask()).toBeUndefined()
})

test('missingSince() says nothing of directories that were not all listed, or not at all', () => {
  const snapshot = snapshotOf({sources: {'disk.entries': [entry('plugins')]}})
  const {readings} = snapshot
  const cut = {...snapshot, readings: {...readings, 'disk.entries': read([entry('plugins')], 'cut off')}}
  const lost = {...snapshot, readings: {...readings, 'disk.entries': failed('it hung', 10)}}
  expect(missingSince(snapshot, 'plugins/d')?.at).toBe(at(-60))
  expect([missingSince(cut, 'plugins/d'), missingSince(lost, 'plugins/d')]).toEqual([undefined, undefined])
})
