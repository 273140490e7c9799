import {chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {expect, test} from 'vitest'
import {systemClock} from '../src/base/clock.ts'
import {myUid} from '../src/cli/account.ts'
import type {Journal} from '../src/node/takeover/journal.ts'
import {identityOf} from '../src/proxy/listen/socket-file.ts'
import {createJournal} from '../src/proxy/takeover/journal-file.ts'
import {renderRestore} from '../src/render/restore.ts'
import {type RestoreRequest, restore} from '../src/restore.ts'
import {journalOf} from './support/journal.ts'
import {leftBehind} from './support/left-behind.ts'
import {bootId, procTree, statText} from './support/proc-tree.ts'
import {codeOfConnecting, serving} from './support/raw-sockets.ts'
import {tempDir} from './support/socket-dir.ts'

const proxy = {pid: 7, startTicks: '50'}

function ask(journals: string, parts: Partial<RestoreRequest> = {}) {
  const request = {
    journals,
    uid: myUid(),
    dryRun: false,
    node: 'n1',
    tool: 'kubelimbo 0.1.0',
    clock: systemClock,
    proc: procTree({}),
    rootsJournals: join(tempDir(), 'none'),
    ...parts,
  }
  return restore(request)
}

async function left(parts: Partial<Journal> = {}) {
  const journals = tempDir()
  return {journals, ...(await leftBehind(journals, {bootId, proxy, ...parts}))}
}

test('restore() has nothing to do where nothing was taken over, and says so', async () => {
  const none = join(tempDir(), 'none')
  for (const folder of [none, tempDir()]) {
    const {report, exit} = await ask(folder)
    expect({exit, items: report.items}).toEqual({exit: 0, items: []})
    expect(await renderRestore(report, 'table')).toBe(`Nothing to restore: there is no journal of a takeover in ${folder}.\n`)
  }
  expect(existsSync(none)).toBe(false)
})

test('restore() gives back what was left behind, removes all that was ours, and may be run again', async () => {
  const {folder, socket, original, journals, path} = await left()
  const {report, exit} = await ask(journals)
  const holder = {pid: 7, proxy: 'gone', otherBoot: false}
  expect({exit, items: report.items}).toEqual({exit: 0, items: [{journal: path, socket, holder, outcome: 'given back'}]})
  expect(await identityOf(socket)).toEqual(original)
  expect(await codeOfConnecting(socket)).toBe('served')
  expect([readdirSync(folder), readdirSync(journals)]).toEqual([['csi.sock'], []])
  expect((await ask(journals)).exit).toBe(0)
  expect(await renderRestore(report, 'table')).toContain('new connections reach its server again; process 7, which had it, is gone')
})

test('restore() does nothing with --dry-run, and says what it would do', async () => {
  const {folder, journals, side} = await left()
  const {report, exit} = await ask(journals, {dryRun: true, proc: procTree({7: statText(7, '50')})})
  expect([exit, report.items[0]?.outcome]).toEqual([0, 'to be given back'])
  expect(await renderRestore(report, 'table')).toContain('without --dry-run it is given back; process 7, which had it, sees that and ends')
  expect([readdirSync(folder).sort(), readdirSync(journals).length]).toEqual([[side, 'csi.sock'], 1])
})

test('restore() gives back what is from another boot, and says so', async () => {
  const {socket, original, journals} = await left({bootId: 'another'})
  const {report, exit} = await ask(journals)
  expect(exit).toBe(0)
  expect(await identityOf(socket)).toEqual(original)
  expect(await renderRestore(report, 'table')).toContain('it was taken over before the node started anew')
})

test('restore() leaves a server alone that has restarted, and removes what was ours', async () => {
  const {folder, socket, journals} = await left()
  rmSync(socket)
  await serving(socket)
  const {ino} = lstatSync(socket)
  const {report, exit} = await ask(journals)
  expect([exit, report.items[0]?.outcome, lstatSync(socket).ino]).toEqual([0, 'left alone', ino])
  expect([readdirSync(folder), readdirSync(journals)]).toEqual([['csi.sock'], []])
})

test('restore() cleans a journal whose directory is gone', async () => {
  const journals = tempDir()
  await createJournal(journals, journalOf(join(tempDir(), 'gone/csi.sock')))
  const {report, exit} = await ask(journals)
  expect([exit, report.items[0]?.outcome, readdirSync(journals)]).toEqual([0, 'server gone', []])
})

test('restore() keeps the journal of what it cannot give back, and names what to do; the others are given back', async () => {
  const {folder, socket, journals, path} = await left()
  const elsewhere = `${folder}-moved`
  renameSync(folder, elsewhere)
  symlinkSync(elsewhere, folder)
  const gone = await createJournal(journals, journalOf(join(tempDir(), 'gone/csi.sock')))
  const {report, exit} = await ask(journals)
  expect(exit).toBe(4)
  expect(report.items.find(({journal}) => journal === path)).toMatchObject({
    socket,
    outcome: 'failed',
    why: `${folder} has become a link to ${elsewhere}`,
    byHand: expect.stringContaining('run kubelimbo restore again') as string,
  })
  expect([existsSync(path), existsSync(gone)]).toEqual([true, false])
  rmSync(folder)
  renameSync(elsewhere, folder)
  expect((await ask(journals)).exit).toBe(0)
})

test('restore() names a journal that cannot be read, and how to find what it was about', async () => {
  const journals = tempDir()
  writeFileSync(join(journals, '0a1b2c3d.json'), '{"side": "../../etc')
  writeFileSync(join(journals, '.0a1b2c3d.7.tmp'), '{')
  const {report, exit} = await ask(journals)
  const path = join(journals, '0a1b2c3d.json')
  const byHand = `find /run /var/lib/kubelet -name '.kubelimbo-0a1b2c3d*': if a socket is there, restart the server that it belongs to and remove it; then rm ${path}`
  expect({exit, items: report.items}).toEqual({
    exit: 4,
    items: [{journal: path, outcome: 'failed', why: 'the journal cannot be read: it is no JSON', byHand}],
  })
  expect(existsSync(path)).toBe(true)
  expect(await renderRestore(report, 'json')).toContain('"outcome": "failed"')
})

test('restore() removes nothing for a journal whose names lead out of the directory', async () => {
  const {folder, journals, path} = await left()
  const victim = join(dirname(folder), `${Date.now()}.victim`)
  writeFileSync(victim, '')
  writeFileSync(path, JSON.stringify({...journalOf(join(folder, 'csi.sock')), side: `../${victim}`, held: '..'}))
  const {exit} = await ask(journals)
  expect([exit, existsSync(victim)]).toEqual([4, true])
  rmSync(victim)
})

test("restore() refuses a folder that others can write, that is a link or somebody else's", async () => {
  const {journals} = await left()
  const refusal = async (folder: string, uid = myUid()) =>
    ask(folder, {uid}).then(
      () => undefined,
      ({exit, message}) => `${exit} ${message}`,
    )
  expect(await refusal(journals, myUid() + 1)).toContain(
    `5 Cannot restore from ${journals} as it must be a directory of yours with mode 0700: it is one of user`,
  )
  const link = join(tempDir(), 'link')
  symlinkSync(journals, link)
  expect(await refusal(link)).toContain('5 Cannot restore from')
  chmodSync(journals, 0o770)
  expect(await refusal(journals)).toContain('its mode is 0770')
  mkdirSync(join(tempDir(), 'x'))
  expect(readdirSync(journals)).toHaveLength(1)
})

test('restore() refuses a folder whose parent others can swap', async () => {
  const top = tempDir()
  const journals = join(top, 'j')
  mkdirSync(journals, {mode: 0o700})
  chmodSync(top, 0o777)
  await expect(ask(journals)).rejects.toThrow(
    `nobody else must be able to swap a directory above it: everybody can write in ${top} (mode 0777)`,
  )
  chmodSync(top, 0o1777)
  expect((await ask(journals)).exit).toBe(0)
})

test('restore() says that a folder is not there which somebody has named', async () => {
  const none = join(tempDir(), 'none')
  await expect(ask(none, {named: true})).rejects.toMatchObject({
    exit: 3,
    message: `Cannot look for journals in ${none} as it must be there: there is no such directory`,
  })
})

test("restore() tells of journals in root's folder, and that it cannot be looked at", async () => {
  const {journals, path} = await left()
  const own = tempDir()
  const said = async (rootsJournals: string) => await renderRestore((await ask(own, {rootsJournals})).report, 'table')
  expect(await said(journals)).toContain(`\nNote: ${journals} has journals, too, which only root can use: run it as root for those.\n`)
  expect(await said(path)).toContain(`\nNote: whether ${path} has journals, too, cannot be seen (ENOTDIR): run it as root for those.\n`)
  expect(await said(tempDir())).not.toContain('Note')
})

test('restore() of one socket leaves others', async () => {
  const {journals, socket, path} = await left()
  const gone = join(tempDir(), 'gone.sock')
  const other = await createJournal(journals, journalOf(gone))
  const link = join(tempDir(), 'link')
  symlinkSync(dirname(socket), link)
  const {report} = await ask(journals, {socket: join(link, 'csi.sock')})
  expect(report.items).toMatchObject([{socket, outcome: 'given back'}])
  expect([existsSync(path), existsSync(other)]).toEqual([false, true])
  const again = await ask(journals, {socket})
  expect(await renderRestore(again.report, 'table')).toBe(
    `Nothing to restore: there is no journal of a takeover of ${socket} in ${journals}.\n`,
  )
})
