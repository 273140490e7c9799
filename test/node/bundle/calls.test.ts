import {mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {parseManifest} from '../../../src/node/bundle/manifest.ts'
import {bundleContent, writeBundle} from '../../../src/node/bundle/write.ts'
import {openBundle} from '../../../src/node/bundle.ts'
import type {RecordedCall} from '../../../src/node/recorded/recorded-call.ts'
import {snapshotOf} from '../../support/snapshot-builder.ts'

const call: RecordedCall = {
  socket: '/run/r.sock',
  at: 5,
  service: 'runtime.v1.RuntimeService',
  method: 'Status',
  durationMs: 3,
  code: 'OK',
  request: {verbose: true},
  responses: [{status: {}}],
}

async function opened(snapshot: Parameters<typeof bundleContent>[0]) {
  const folder = mkdtempSync(join(tmpdir(), 'kl-'))
  onTestFinished(() => rmSync(folder, {recursive: true}))
  const path = join(folder, 'b.tar.gz')
  await writeBundle(path, bundleContent(snapshot, 'test'), snapshot.when)
  return path
}

test('a bundle gives back the calls that it was given, to who wants them, and through another bundle, too', async () => {
  const calls = {calls: [call], hits: {'secret field': 2}, missing: ['3 of 4 were not asked']}
  const first = await opened({...snapshotOf({}), calls})
  expect((await openBundle(first)).calls).toBeUndefined()
  const again = await openBundle(first, {keepReplies: true})
  expect(again.calls).toEqual({calls: [call], hits: {}, missing: calls.missing})
  expect((await openBundle(await opened(again), {keepReplies: true})).calls).toEqual(again.calls)
})

test('bundleContent() counts what was taken out of calls', () => {
  const content = bundleContent({...snapshotOf({}), calls: {calls: [call], hits: {'secret field': 2}, missing: []}}, 'test')
  expect(content.redactions).toEqual([{file: 'calls.jsonl', rule: 'secret field', count: 2}])
  expect(JSON.parse(content.files.get('redaction.json') ?? '')).toEqual(content.redactions)
})

test('openBundle() reads a bundle of before calls were kept', async () => {
  expect((await openBundle(await opened(snapshotOf({})), {keepReplies: true})).calls).toBeUndefined()
})

test('parseManifest() leaves out what is newer than it, so that older ones read bundles with calls', () => {
  const text = readFileSync('fixtures/nodes/healthy/bundle.json', 'utf8')
  const newer = JSON.stringify({...JSON.parse(text), moons: {file: 'moons.jsonl'}})
  expect(parseManifest(newer, 'bundle.json')).toEqual(parseManifest(text, 'bundle.json'))
})
