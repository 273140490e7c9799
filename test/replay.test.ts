import {randomBytes} from 'node:crypto'
import {mkdtempSync, readdirSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, describe, expect, test} from 'vitest'
import {check} from '../src/check.ts'
import {openBundle} from '../src/node/bundle.ts'
import type {Snapshot} from '../src/node/snapshot.ts'
import {replay} from '../src/replay.ts'
import {goldenCases} from './support/golden-case.ts'
import {machineWith, rawCase} from './support/replayed-case.ts'

const temporary = mkdtempSync(join(tmpdir(), 'kl-'))
afterAll(() => rmSync(temporary, {recursive: true, force: true}))

const options = {deadlineMs: 30_000, failOn: 'warning', once: true, tool: 'kubelimbo test'} as const

/** What `check` says of a replay of it, and of the bundle itself. */
async function both(snapshot: Snapshot, file: string) {
  const over = new AbortController()
  const machine = machineWith(snapshot, over.signal)
  const root = Promise.withResolvers<string>()
  const served = replay({file, temporary, uid: process.getuid?.() ?? 0, random: randomBytes}, machine, async (view) =>
    root.resolve(view.root),
  )
  const looking = machineWith(snapshot, new AbortController().signal)
  const hostRoot = await Promise.race([root.promise, served.then(() => '')])
  const live = await check({...options, hostRoot}, looking, () => undefined)
  const {report} = await check({...options, from: file}, looking, () => undefined)
  over.abort()
  await served
  return {replayed: live.report, report, warnings: live.warnings}
}

test.for(readdirSync('fixtures/nodes'))('check finds on a replay of the node %s what it finds in its bundle', async (name) => {
  const file = join('fixtures/nodes', name)
  const {replayed, report, warnings} = await both(await openBundle(file, {keepReplies: true}), file)
  expect(replayed).toEqual(report)
  expect(warnings).toEqual([expect.stringContaining('this is a replay of')])
})

/** Their pods or their mounts are changed as values: there is no text of them to serve. */
const withoutText = new Set([
  'mounts-stacked',
  'orphan-record-alone',
  'orphan-still-mounted',
  'r03-deleted-by-force',
  'r03-deleted-by-force-a-moment-ago',
  'staging-missing',
  'staging-stranded',
  'staging-stranded-block',
  'volume-bare',
])

describe.concurrent('of a golden case', () => {
  test.for(goldenCases.filter((name) => !withoutText.has(name)))(
    'check finds on a replay of %s what it finds in it',
    async (name, {expect}) => {
      const {snapshot, unknown} = await rawCase(name)
      expect(unknown).toEqual([])
      const {replayed, report} = await both(snapshot, join('fixtures/findings', name))
      expect(replayed.unseen).toEqual(report.unseen)
      expect(replayed).toEqual(report)
    },
  )
})

test('the folder of a replay is gone at its end', () => {
  expect(readdirSync(temporary)).toEqual([])
})
