import {mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {UserError} from '../../../src/base/errors.ts'
import {readJournalFile} from '../../../src/node/takeover/parse-journal.ts'
import {
  createJournal,
  journalId,
  mustBeFree,
  readJournals,
  removeJournal,
  rewriteJournal,
  sweepTemporaries,
} from '../../../src/proxy/takeover/journal-file.ts'
import {journalOf} from '../../support/journal.ts'
import {bootId, procTree, statText} from '../../support/proc-tree.ts'
import {tempDir} from '../../support/socket-dir.ts'

const socket = '/run/a.sock'
const watchdog = {pid: 8, startTicks: '60'}
const journal = journalOf(socket, {bootId, proxy: {pid: 7, startTicks: '50'}, watchdog})
const errorOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error instanceof UserError) return `${error.exit} ${error.message} (${error.hint})`
  throw error ?? new Error('it did not throw')
}

test('createJournal() writes all of it, for its owner alone, and leaves no other file', async () => {
  const folder = tempDir()
  const path = await createJournal(folder, journal)
  expect(path).toBe(join(folder, `${journalId(socket)}.json`))
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(await readJournals(folder)).toEqual([{path, journal}])
  expect(readdirSync(folder)).toEqual([`${journalId(socket)}.json`])
})

test.each([
  ['its proxy runs', {7: statText(7, '50')}, bootId, 'process 7 has it until 2026-11-30T03:11:04Z (end that one first: kill -INT 7)'],
  [
    'its watchdog runs',
    {8: statText(8, '60')},
    bootId,
    'the watchdog of process 7 has it until 2026-11-30T03:11:04Z (it gives the socket back in a moment: try again)',
  ],
  ['both are gone', {}, bootId, 'process 7 had it, which is gone, and it was not given back (kubelimbo restore gives it back)'],
  [
    'it is of another boot',
    {7: statText(7, '50')},
    'b',
    'process 7 had it before the node started anew, and it was not given back (kubelimbo restore gives it back)',
  ],
])('createJournal() refuses a second takeover of a socket when %s', async (_, processes, boot, why) => {
  const folder = tempDir()
  const path = await createJournal(folder, journal)
  const before = readFileSync(path, 'utf8')
  const proc = procTree(processes, boot)
  const expected = `5 Cannot take ${socket} over as nobody else must have it: ${why}`
  expect(await errorOf(createJournal(folder, {...journal, proxy: {pid: 9, startTicks: '1'}}, proc))).toBe(expected)
  expect(await errorOf(Promise.resolve().then(() => mustBeFree(socket, folder, proc)))).toBe(expected)
  expect(readFileSync(path, 'utf8')).toBe(before)
  expect(readdirSync(folder)).toHaveLength(1)
})

test('createJournal() says of a takeover in another pid namespace neither that it runs nor that it is gone', async () => {
  const folder = tempDir()
  await createJournal(folder, {...journal, pidNamespace: 'pid:[5]'})
  const proc = procTree({7: statText(7, '50')})
  mkdirSync(join(proc, 'self/ns'), {recursive: true})
  symlinkSync('pid:[6]', join(proc, 'self/ns/pid'))
  expect(await errorOf(createJournal(folder, journal, proc))).toBe(
    `5 Cannot take ${socket} over as nobody else must have it: process 7 of another pid namespace has it until 2026-11-30T03:11:04Z, or is gone (end that one where it runs; kubelimbo restore gives it back, too)`,
  )
})

test('createJournal() refuses where a journal lies that cannot be read', async () => {
  const folder = tempDir()
  writeFileSync(join(folder, `${journal.id}.json`), '')
  const why = `5 Cannot take ${socket} over as its journal must not be there yet: ${folder}/${journal.id}.json cannot be read: it is empty (kubelimbo restore gives it back)`
  expect(await errorOf(createJournal(folder, journal))).toBe(why)
  expect(() => mustBeFree('/run/b.sock', folder)).not.toThrow()
})

test('createJournal() lets one of many have the socket', async () => {
  const folder = tempDir()
  const proc = procTree({})
  const all = await Promise.allSettled(
    Array.from({length: 20}, (_, pid) => createJournal(folder, {...journal, proxy: {pid: pid + 1, startTicks: '1'}}, proc)),
  )
  expect(all.filter(({status}) => status === 'fulfilled')).toHaveLength(1)
  expect(readdirSync(folder)).toEqual([`${journal.id}.json`])
})

test('createJournal() and rewriteJournal() say why a journal cannot be written', async () => {
  const folder = join(tempDir(), 'gone')
  const why = `5 Cannot take ${socket} over as its journal must be written: there is no directory ${folder}, and it cannot be made (nothing was changed)`
  expect(await errorOf(createJournal(folder, journal))).toBe(why)
  expect(await errorOf(rewriteJournal(join(folder, 'x.json'), journal))).toBe(why)
})

test('rewriteJournal() puts another in its place, however often', async () => {
  const folder = tempDir()
  const path = await createJournal(folder, journal)
  const ours = Array.from({length: 2000}, (_, inode) => ({device: '66', inode: String(inode), born: '1764472264000000000'}))
  await rewriteJournal(path, {...journal, ours: ours.slice(0, 2)})
  expect(await readJournals(folder)).toEqual([{path, journal: {...journal, ours: ours.slice(0, 2)}}])
  await rewriteJournal(path, {...journal, ours})
  const [read] = await readJournals(folder)
  expect(read && 'journal' in read && read.journal.ours.at(-1)).toEqual(ours.at(-1))
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toHaveLength(1)
})

test('rewriteJournal() writes over what a process of the same id left behind, and through no link', async () => {
  const folder = tempDir()
  const path = await createJournal(folder, journal)
  writeFileSync(join(folder, 'other'), 'other')
  symlinkSync('other', join(folder, `.${journal.id}.7.tmp`))
  await rewriteJournal(path, journal)
  expect(readFileSync(join(folder, 'other'), 'utf8')).toBe('other')
  expect(readdirSync(folder).sort()).toEqual([`${journal.id}.json`, 'other'])
})

test('removeJournal() may be second', async () => {
  const folder = tempDir()
  const path = await createJournal(folder, journal)
  await removeJournal(path)
  await removeJournal(path)
  expect(readdirSync(folder)).toEqual([])
  await removeJournal(join(folder, 'gone', 'x.json'))
})

test('readJournals() reads all that are named so, and says of each that it cannot use why', async () => {
  const folder = tempDir()
  const path = await createJournal(folder, journal)
  writeFileSync(join(folder, '00000000.json'), JSON.stringify(journal))
  mkdirSync(join(folder, '11111111.json'))
  writeFileSync(join(folder, '.22222222.7.tmp'), '')
  expect(await readJournals(folder)).toEqual(
    [
      {path: join(folder, '00000000.json'), unreadable: "its 'id' is not that of its name"},
      {path: join(folder, '11111111.json'), unreadable: 'it is a directory'},
      {path, journal},
    ].sort((a, b) => (a.path < b.path ? -1 : 1)),
  )
})

test('readJournals() knows nothing of a journal that is removed between its two looks', async () => {
  const folder = tempDir()
  await createJournal(folder, journal)
  const other = journalOf('/run/b.sock', {bootId})
  const path = await createJournal(folder, other)
  const found = await readJournals(folder, (each) => {
    rmSync(join(folder, `${journal.id}.json`), {force: true})
    return readJournalFile(each)
  })
  expect(found).toEqual([{path, journal: other}])
})

test('sweepTemporaries() removes what processes left that are gone, and nothing else', async () => {
  const folder = tempDir()
  for (const name of ['.22222222.7.tmp', '.22222222.8.tmp', '22222222.json', '.2.7.tmp', '.22222222.7.tmp.x'])
    writeFileSync(join(folder, name), '')
  await sweepTemporaries(folder, (pid) => pid === 8)
  expect(readdirSync(folder).sort()).toEqual(['.2.7.tmp', '.22222222.7.tmp.x', '.22222222.8.tmp', '22222222.json'])
})

test.each([
  [{side: '.bashrc'}, "its 'side' and 'held' are not those of its id"],
  [{held: '.bashrc'}, "its 'side' and 'held' are not those of its id"],
  [{socket: '/run/b.sock'}, "its 'id' is not that of its socket"],
])('readJournals() takes none for ours that has other names: %j', async (parts, unreadable) => {
  const folder = tempDir()
  const path = join(folder, `${journal.id}.json`)
  writeFileSync(path, JSON.stringify({...journal, ...parts}))
  expect(await readJournals(folder)).toEqual([{path, unreadable}])
})
