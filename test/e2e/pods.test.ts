import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {parse} from 'yaml'
import {fullSandbox} from '../support/cri-messages.ts'
import {type FakeRuntimeOptions, fakeRuntime} from '../support/fake-runtime.ts'
import {kubelimbo, start} from '../support/kubelimbo.ts'
import {tempDir} from '../support/socket-dir.ts'

const healthy = join(import.meta.dirname, '../../fixtures/nodes/healthy')
const now = '2025-11-30T03:01:05Z'
const other = {...fullSandbox, id: 'bbb', createdAt: 1n, metadata: {...fullSandbox.metadata, name: 'db-0'}, state: 0} as const

async function pods(args: readonly string[], options: Omit<FakeRuntimeOptions, 'path'> = {sandboxes: [other, fullSandbox]}) {
  await using runtime = await fakeRuntime({path: join(tempDir(), 's'), ...options})
  const ran = await kubelimbo(['pods', '-r', `unix://${runtime.path}`, ...args])
  return {...ran, calls: runtime.calls, filters: runtime.filters}
}

describe('kubelimbo pods', () => {
  test('prints a table, the newest first', async () => {
    const {stdout, stderr, exitCode} = await pods(['--now', now])
    expect({exitCode, stderr}).toEqual({exitCode: 0, stderr: ''})
    const lines = stdout.split('\n').map((line) => line.split(/ {2,}/))
    expect(lines[0]).toEqual(['POD ID', 'CREATED', 'STATE', 'NAME', 'NAMESPACE', 'ATTEMPT', 'RUNTIME', 'KUBELET', 'VERDICT'])
    expect(lines[1]).toEqual(['1f73f2d81bf98', '10 minutes ago', 'NotReady', 'web-0', 'default', '2', 'kata', '-', '-'])
    expect(lines[2]?.slice(0, 4)).toEqual(['bbb', '55 years ago', 'Ready', 'db-0'])
    expect(lines).toHaveLength(3)
  })

  test.for([['-o', 'json'], ['--json'], ['-o', 'yaml']])("prints crictl's shape with %j", async (args) => {
    const {stdout} = await pods(args)
    const data = args.includes('yaml') ? parse(stdout) : JSON.parse(stdout)
    expect(data).toEqual({
      items: [
        {...fullSandbox, state: 'SANDBOX_NOTREADY', createdAt: '1764471064123456789'},
        {...other, state: 'SANDBOX_READY', createdAt: '1'},
      ],
    })
  })

  test('takes joined letters: -ql', async () => {
    expect((await pods(['-ql'])).stdout).toBe(fullSandbox.id)
  })

  test('sends the filters to the runtime that are its own', async () => {
    const {filters} = await pods(['--id', 'abc', '-s', 'NotReady', '--label', 'app=web,tier=db', '--label', 'x='])
    expect(filters).toMatchObject([{id: 'abc', state: {state: 1}, labelSelector: {app: 'web', tier: 'db', x: ''}}])
  })

  test('filters by name and namespace itself', async () => {
    expect((await pods(['-q', '--name', '^web', '--namespace', 'def'])).stdout).toBe(fullSandbox.id)
    expect((await pods(['-q', '--namespace', '^kube'])).stdout).toBe('')
  })

  test('says how many it left out for want of metadata', async () => {
    const {stdout, stderr, exitCode} = await pods(['-q'], {sandboxes: [{id: 'x'}, fullSandbox]})
    expect({stdout, stderr, exitCode}).toEqual({
      stdout: fullSandbox.id,
      stderr: 'warning: pods without metadata are left out, as crictl does: 1',
      exitCode: 0,
    })
  })

  test('shows what came before a stream broke, and exits 3', async () => {
    const {stdout, stderr, exitCode} = await pods(['-q'], {streams: 'breaks', sandboxes: [fullSandbox, other]})
    expect(stdout).toBe(fullSandbox.id)
    expect(stderr).toMatch(/^warning: the list is incomplete: the stream broke after 1: .*the runtime went away$/)
    expect(exitCode).toBe(3)
  })

  test('lets no escape of a name reach the terminal', async () => {
    const evil = {...fullSandbox, metadata: {...fullSandbox.metadata, name: '\u001b[2Jweb\n'}}
    for (const args of [[], ['-v'], ['-o', 'json'], ['-o', 'yaml']])
      expect((await pods(args, {sandboxes: [evil]})).stdout).not.toContain('\u001b')
  })

  test('reads a bundle, with the pods that have no sandbox below', async () => {
    const {stdout, exitCode} = await kubelimbo(['pods', '--from', healthy])
    expect(exitCode).toBe(0)
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/)[3])).toEqual(['NAME', 'blk-0', 'inline-0', 'web-0'])
    expect((await kubelimbo(['pods', '--from', healthy, '--name', 'blk'])).stdout).not.toContain('web-0')
    expect((await kubelimbo(['pods', '--from', healthy, '-s', 'ready'])).stdout).not.toContain('web-0')
    expect(JSON.parse((await kubelimbo(['pods', '--from', healthy, '--json'])).stdout).items).toHaveLength(2)
  })

  test.for([
    [['-s', 'gone'], "Cannot use --state as it must be one of ready, notready: it is 'gone'"],
    [['--label', 'x'], "Cannot use --label as it must be key=value: it is 'x'"],
    [
      ['--name', '('],
      "Cannot use --name as it must be a regular expression that both RE2 and JavaScript can run: it is '(' (Unterminated group)",
    ],
    [['--now', 'soon'], "Cannot read --now as it must be a moment such as 2026-11-30T03:11:04Z: it is 'soon'"],
    [['-t', 'soon'], "Cannot read --timeout as it must be a duration such as 10s or 1m30s: it is 'soon'"],
    [['--deadline', 'x'], "Cannot read --deadline as it must be a duration such as 10s or 1m30s: it is 'x'"],
    [['-o', 'xml'], "Cannot use --output as it must be one of table, json, yaml: it is 'xml'"],
    [['-n', 'x'], "Cannot use --last as it must be a whole number: it is 'x'"],
    [['--nope'], 'Cannot run this as every flag must be one that --help shows: --nope is not'],
    [['extra'], "Cannot run 'pods extra' as it must be one of the commands that --help shows: it is none"],
    [
      ['-c', '/absent.yaml'],
      "Cannot use the file that --config names as it must be readable: ENOENT: no such file or directory, open '/absent.yaml'",
    ],
  ] as const)('exits 2 on %j, with one sentence', async ([args, sentence]) => {
    const {stdout, stderr, exitCode} = await kubelimbo(['pods', ...args])
    expect({stdout, line: stderr.split('\n')[0], exitCode}).toEqual({stdout: '', line: `kubelimbo: ${sentence}`, exitCode: 2})
    expect(stderr).not.toMatch(/^ +at /m)
  })

  test('ends at SIGINT with 130, and says nothing', async () => {
    await using runtime = await fakeRuntime({path: join(tempDir(), 's'), hangs: 'lists'})
    const child = start(['pods', '-r', `unix://${runtime.path}`])
    while (!runtime.calls.includes('ListPodSandbox')) await new Promise((resolve) => setTimeout(resolve, 5))
    child.kill('SIGINT')
    expect(await child).toMatchObject({exitCode: 130, stdout: '', stderr: ''})
  })

  test('ends when the deadline of the whole command is over', async () => {
    const {exitCode, stderr} = await pods(['--deadline', '1s'], {hangs: 'lists'})
    expect(exitCode).toBe(3)
    expect(stderr).toBe('kubelimbo: Cannot finish as the runtime must answer within 1s: it has not\nhint: give it longer with --deadline')
  })

  test('heeds a reader who has seen enough', async () => {
    const labels = {label: 'x'.repeat(100_000)}
    await using runtime = await fakeRuntime({
      path: join(tempDir(), 's'),
      sandboxes: Array.from({length: 50}, () => ({...fullSandbox, labels})),
    })
    const child = start(['pods', '-o', 'json', '-r', `unix://${runtime.path}`])
    child.stdout.once('data', () => child.stdout.destroy())
    expect(await child).toMatchObject({exitCode: 0, stderr: ''})
  })
})
