// Every format of check, at every way to end: the exit code, the same with --json, and a reader of each format.
import {appendFileSync, cpSync, mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {execa} from 'execa'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {parse} from 'yaml'
import {checkOutputs} from '../../src/render/check-output.ts'
import {bareMachine} from '../support/bare-machine.ts'
import {fakeRuntime} from '../support/fake-runtime.ts'
import {junitErrors} from '../support/junit-schema.ts'
import {kubelimbo, start} from '../support/kubelimbo.ts'
import {readMetrics} from '../support/prometheus-reader.ts'
import {tempDir} from '../support/socket-dir.ts'

const folder = mkdtempSync(join(tmpdir(), 'kl-'))
afterAll(() => rmSync(folder, {recursive: true}))

const healthy = ['--from', 'fixtures/nodes/healthy']
/** A call that the kubelet gave up: a warning, or an error of a kubelet that forgets it. */
const timedOut = ['--from', join(folder, 'timed-out'), '--now', '2026-11-30T03:13:00Z']
const line =
  'E1130 03:12:44.352345    2082 nestedpendingoperations.go:348] Operation for "{volumeName:kubernetes.io/csi/hostpath.csi.k8s.io^48fb8f96-ec69-11f1-b476-7264fc4fb799 podName: nodeName:}" failed. No retries permitted until 2026-11-30 03:12:44.852123456 +0000 UTC m=+997.1 (durationBeforeRetry 500ms). Error: MountVolume.MountDevice failed for volume "pv1" (UniqueName: "kubernetes.io/csi/hostpath.csi.k8s.io^48fb8f96-ec69-11f1-b476-7264fc4fb799") pod "stage-0" (UID: "ea960161-2437-4115-8484-d501b012c778") : rpc error: code = DeadlineExceeded desc = context deadline exceeded'
const noRuntime = ['-r', 'unix:///nowhere/containerd.sock', ...bareMachine().flags]

beforeAll(() => {
  cpSync('fixtures/nodes/stage-hang-terminating', join(folder, 'timed-out'), {recursive: true})
  appendFileSync(join(folder, 'timed-out/kubelet/log.txt'), `${line}\n`)
})

/** @param exit of all formats but nagios and npd. @param printed whether there is a report. */
interface Case {
  readonly what: string
  readonly args: readonly string[]
  readonly exit: number
  readonly nagios: number
  readonly npd: number
  readonly printed: boolean
}

const cases: readonly Case[] = [
  {what: 'a healthy node', args: healthy, exit: 0, nagios: 0, npd: 0, printed: true},
  {what: 'a warning', args: timedOut, exit: 1, nagios: 1, npd: 1, printed: true},
  {what: 'an error', args: [...timedOut, '--profile', '1.17.3'], exit: 1, nagios: 2, npd: 1, printed: true},
  {what: 'a warning below --fail-on', args: [...timedOut, '--fail-on', 'error'], exit: 0, nagios: 0, npd: 0, printed: true},
  {what: 'a flag that is not there', args: [...healthy, '--nonsense'], exit: 2, nagios: 3, npd: 2, printed: false},
  {what: 'a bundle that is not there', args: ['--from', join(folder, 'none')], exit: 2, nagios: 3, npd: 2, printed: false},
  {what: 'a baseline that is none', args: [...healthy, '--baseline', 'README.md'], exit: 2, nagios: 3, npd: 2, printed: false},
  {what: 'a node without a runtime', args: noRuntime, exit: 3, nagios: 3, npd: 2, printed: true},
]

const words = /^(?:OK|WARNING|CRITICAL|UNKNOWN) - [^|\n]+/
const numbers = / \| '\w+'=\d+;;;0(?: '\w+'=\d+;;;0)*$/

/** What a reader of the format takes. */
const readers: Readonly<Record<(typeof checkOutputs)[number], (text: string) => unknown>> = {
  table: (text) => expect(text).toMatch(/^node n1 at |^node .* at |^this node at /),
  json: (text) => expect(JSON.parse(text)).toMatchObject({kind: 'CheckReport'}),
  yaml: (text) => expect(parse(text)).toMatchObject({kind: 'CheckReport'}),
  junit: async (text) => expect(await junitErrors(text)).toEqual([]),
  prometheus: (text) => expect(readMetrics(`${text}\n`).map(({name}) => name)).toContain('kubelimbo_check_exit_code'),
  nagios: (text) => expect(text).toMatch(new RegExp(words.source + numbers.source)),
  npd: (text) => expect(Buffer.byteLength(text)).toBeLessThanOrEqual(80),
}

describe.each(cases)('check of $what', ({args, exit, nagios, npd, printed}) => {
  test.each(checkOutputs)('check -o %s ends with its code, and so does --json', async (output) => {
    const [text, json] = await Promise.all([
      kubelimbo(['check', ...args, '-o', output]),
      kubelimbo(['check', ...args, '-o', output, '--json']),
    ])
    expect([text.exitCode, json.exitCode]).toEqual([{nagios, npd}[output as 'nagios' | 'npd'] ?? exit, exit])
    if (printed) {
      await readers[output](text.stdout)
      readers.json(json.stdout)
    } else {
      expect(json.stdout).toBe('')
      const says = {nagios: /^UNKNOWN - Cannot [^|\n]+$/, npd: /^Cannot [^\n]{1,80}$/}[output as 'nagios' | 'npd'] ?? /^$/
      expect(text.stdout).toMatch(says)
    }
  })
})

test('check -o nagios says the state of its exit code, and nothing on stderr', async () => {
  for (const {args, nagios} of cases) {
    const {stdout, stderr} = await kubelimbo(['check', ...args, '-o', 'nagios'])
    expect([stdout.split(' - ')[0], stderr]).toEqual([['OK', 'WARNING', 'CRITICAL', 'UNKNOWN'][nagios], ''])
  }
})

test.each([
  ['nagios', 3, /^UNKNOWN - (?:Cannot finish as|could not look: )/],
  ['npd', 2, /^(?:Cannot finish as|could not look: )/],
])('check -o %s tells of a deadline that is over', async (output, exit, says) => {
  const {stdout, exitCode} = await kubelimbo(['check', '-o', output, '--deadline', '100ms', ...noRuntime])
  expect(exitCode).toBe(exit)
  expect(stdout).toMatch(says)
})

test.each([
  ['check extra -o nagios', "'check extra'"],
  ['chek -o nagios', "'chek'"],
])('kubelimbo %s, which is no command, is UNKNOWN', async (line, named) => {
  const {stdout, stderr, exitCode} = await kubelimbo(line.split(' '))
  expect([stdout.split(' as ')[0], stderr, exitCode]).toEqual([`UNKNOWN - Cannot run ${named}`, '', 3])
})

test.each(['nagios', 'npd'])('check -o %s ends at SIGTERM with 143, and says nothing', async (output) => {
  await using runtime = await fakeRuntime({path: join(tempDir(), 's'), hangs: 'lists'})
  const child = start(['check', '-o', output, '-r', `unix://${runtime.path}`])
  while (!runtime.calls.includes('ListPodSandbox')) await new Promise((resolve) => setTimeout(resolve, 5))
  child.kill('SIGTERM')
  expect(await child).toMatchObject({exitCode: 143, stdout: '', stderr: ''})
})

test('check -o nagios --help shows the help', async () => {
  expect(await kubelimbo(['check', '-o', 'nagios', '--help'])).toMatchObject({exitCode: 0, stdout: expect.stringMatching(/^Judge a node/)})
})

test('check -o nagios that cannot write its line is UNKNOWN, too', async () => {
  for (const more of ['', '--nonsense']) {
    const command = `exec "$0" bin/kubelimbo.js check ${healthy.join(' ')} -o nagios ${more} >/dev/full`
    const {exitCode, stderr} = await execa('sh', ['-c', command, process.execPath], {reject: false})
    expect([exitCode, stderr]).toEqual([3, 'kubelimbo: Cannot write the result as stdout must take it: ENOSPC'])
  }
})
