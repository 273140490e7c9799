import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {findKubelet} from '../../../src/node/kubelet-facts.ts'
import {readKubeletLog} from '../../../src/node/log-source/read-kubelet-log.ts'
import type {RunProgram} from '../../../src/node/log-source/run-program.ts'
import {makeFifo} from '../../support/fifo.ts'
import {type HostTree, hostTree} from '../../support/host-tree.ts'
import {tempDir} from '../../support/socket-dir.ts'

const now = Date.parse('2026-11-30T03:10:00Z')
const hour = 3_600_000
const klog = (time: string, message = 'hello') => `E1130 ${time}.000000    2082 csi_client.go:397] ${message}\n`

interface Journal {
  readonly recent?: string
  /** Whether it has lines of another time. */
  readonly older?: boolean
  readonly stderr?: string
  readonly exitCode?: number
  readonly missing?: boolean
}

function journal({recent = '-- No entries --\n', older = false, stderr = '', exitCode = 0, missing = false}: Journal) {
  const asked: (readonly string[])[] = []
  const run: RunProgram = async (program, args) => {
    asked.push([program, ...args])
    const stdout = args.includes('--since') ? recent : older ? '2026-11-29T01:00:00+0000 n kubelet[1]: x\n' : '-- No entries --\n'
    return {missing, exitCode: missing ? undefined : exitCode, stdout: missing ? '' : stdout, cut: false, stderr}
  }
  return {run, asked}
}

async function readLog(run: RunProgram, tree: HostTree = {}, more: Partial<Parameters<typeof readKubeletLog>[0]> = {}) {
  const {host} = await hostTree(tree)
  const clock = {now: () => now, sleep: () => new Promise<void>(() => undefined)}
  const facts = await findKubelet(host)
  return readKubeletLog({facts, host, run, clock, signal: new AbortController().signal, deadlineMs: 10_000, zoneOffset: 0, ...more})
}

describe('readKubeletLog() from the journal', () => {
  test('reads the last quarter of an hour of all usual units', async () => {
    const {run, asked} = journal({recent: `2026-11-30T03:09:00+0000 n1 kubelet[2082]: ${klog('03:09:00')}`})
    const {reading, how} = await readLog(run)
    expect(how).toBe('the journal')
    expect(reading).toMatchObject({state: 'read', value: [{at: Date.parse('2026-11-30T03:09:00Z'), message: 'hello', severity: 'error'}]})
    expect(asked[0]?.join(' ')).toMatch(
      /^journalctl --no-pager -o short-iso -D .*\/var\/log\/journal -u k0sworker .*-u kubelet .*--since @1796007300 -n 200000$/,
    )
  })

  test('sees the zone of the node in the lines', async () => {
    // The journal is shown in our zone, and the kubelet wrote in one that is 5 h 30 min ahead.
    const recent = `2026-11-30T04:09:01+01:00 n1 kubelet[2082]: ${klog('08:39:00')}`
    const {reading} = await readLog(journal({recent}).run, {}, {zoneOffset: -8 * hour})
    expect(reading).toMatchObject({value: [{at: Date.parse('2026-11-30T03:09:00Z')}]})
  })

  test('takes a kubelet that has nothing to say for one whose log was read', async () => {
    expect((await readLog(journal({older: true}).run)).reading).toEqual({state: 'read', value: []})
  })

  test.for<[what: string, journal: Journal, state: string, why: string]>([
    ['without journalctl', {missing: true}, 'absent', 'there is no journalctl'],
    ['without a journal', {stderr: 'No journal files were found.\n'}, 'absent', 'there is no journal'],
    ['without such a unit', {}, 'absent', 'the journal has no lines of k0sworker, '],
    [
      'of others',
      {stderr: 'Hint: You are currently not seeing messages from other users and the system.\n', exitCode: 1},
      'failed',
      'not allowed to read the journal',
    ],
    ['of something else', {recent: '2026-11-30T03:09:00+0000 n1 k3s[1]: level=info msg=x\n'}, 'absent', "the journal's lines of k0sworker"],
  ])('is not read %s', async ([, answers, state, why]) => {
    const {reading} = await readLog(journal(answers).run)
    expect(reading).toMatchObject({state, why: expect.stringMatching(new RegExp(`^${why}.*--kubelet-log FILE names another place$`))})
  })

  test('gives up a journalctl that hangs', async () => {
    const clock = {now: () => now, sleep: async () => undefined}
    const {reading} = await readLog(() => new Promise(() => undefined), {}, {clock, deadlineMs: 700})
    expect(reading).toEqual({state: 'failed', why: 'the log was not read within 700 ms', tookMs: 0})
  })
})

describe('readKubeletLog() from files', () => {
  const none = journal({missing: true}).run

  test.for(['/var/log/kubelet.log', '/var/lib/rancher/rke2/agent/logs/kubelet.log'])('finds %s', async (path) => {
    const {reading, how} = await readLog(none, {files: {[path]: klog('03:09:00')}})
    expect([reading.state, how]).toEqual(['read', path])
  })

  test('takes no log that ended long ago for the kubelet of today', async () => {
    const {reading} = await readLog(none, {files: {'/var/log/kubelet.log': klog('01:00:00')}})
    expect(reading).toMatchObject({
      state: 'absent',
      why: expect.stringContaining('/var/log/kubelet.log has no line of the last 15 minutes'),
    })
  })

  test('opens no link and no pipe in the place of a log', async () => {
    const {host, root} = await hostTree({files: {'/etc/shadow': klog('03:09:00')}})
    mkdirSync(join(root, 'var/log'), {recursive: true})
    symlinkSync('../../etc/shadow', join(root, 'var/log/kubelet.log'))
    const {reading} = await readLog(none, {}, {host})
    expect(reading).toMatchObject({state: 'failed', why: expect.stringContaining('must not be followed')})
    const pipe = join(tempDir(), 'log')
    makeFifo(pipe)
    expect((await readLog(none, {}, {file: pipe})).reading).toMatchObject({
      why: `${pipe} cannot be read as it must be a regular file: it is none`,
    })
  })

  test('reads the file that the user names, in the zone of this system', async () => {
    const file = join(tempDir(), 'log')
    writeFileSync(file, klog('04:09:00'))
    const {reading, how} = await readLog(none, {}, {file, zoneOffset: hour})
    expect(how).toBe(file)
    expect(reading).toEqual({state: 'read', value: [expect.objectContaining({at: Date.parse('2026-11-30T03:09:00Z')})]})
  })

  test('reads the end of a large one, without the line that is torn, and says when it is too little', async () => {
    const file = join(tempDir(), 'log')
    const many = (time: string) => klog(time, 'x'.repeat(1_000_000)).repeat(40)
    writeFileSync(file, many('03:09:00'))
    const {reading} = await readLog(none, {}, {file})
    expect(reading).toMatchObject({state: 'read', incomplete: expect.stringContaining('only the end of its last 15 minutes')})
    expect(reading.state === 'read' && reading.value.every(({message}) => message.length === 1_000_000)).toBe(true)
    writeFileSync(file, many('02:09:00'))
    expect((await readLog(none, {}, {file})).reading).not.toHaveProperty('incomplete')
  })

  test.for([
    ['there is no such file', undefined],
    ['its lines must be those of klog: not one of them is', 'hello\n'],
  ])('fails when %s', async ([why = '', text]) => {
    const file = join(tempDir(), 'log')
    if (text !== undefined) writeFileSync(file, text)
    expect((await readLog(none, {}, {file})).reading).toMatchObject({state: 'failed', why: expect.stringContaining(why)})
  })
})
