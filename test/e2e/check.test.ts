// The built command, as a user runs it: what it prints and how it ends.
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {execa} from 'execa'
import {afterAll, expect, test} from 'vitest'
import {bareMachine} from '../support/bare-machine.ts'
import {kubelimbo} from '../support/kubelimbo.ts'

const folder = mkdtempSync(join(tmpdir(), 'kl-'))
afterAll(() => rmSync(folder, {recursive: true}))

const nodes = 'fixtures/nodes'
const forgetful = ['--profile', '1.17.3']
const noRuntime = ['-r', 'unix:///nowhere/containerd.sock', ...bareMachine().flags]

test.each([
  ['a call that still runs is info', ['--from', `${nodes}/stage-hang-terminating`], 0],
  ['what is milder than --fail-on does not fail', ['--from', `${nodes}/stage-hang-terminating`, ...forgetful], 0],
  ['--fail-on info fails on info', ['--from', `${nodes}/blockpub-hang-terminating`, '--fail-on', 'info'], 1],
  ['a healthy node', ['--from', `${nodes}/healthy`], 0],
  ['a bundle that is not there', ['--from', `${folder}/none`], 2],
  ['an unknown profile', ['--from', `${nodes}/healthy`, '--profile', '1.2.3'], 2],
  ['a moment that is none', ['--from', `${nodes}/healthy`, '--now', 'yesterday'], 2],
  ['a flag that is not there', ['--nonsense'], 2],
  ['a node without a runtime', noRuntime, 3],
])('check: %s', async (_what, args, exit) => {
  const text = await kubelimbo(['check', ...args])
  const json = await kubelimbo(['check', ...args, '--json'])
  expect([text.exitCode, json.exitCode]).toEqual([exit, exit])
  expect(text.stderr + json.stderr).not.toMatch(/^\s+at /m)
})

test('check says so when its result cannot be written', async () => {
  const {stderr, exitCode} = await execa(
    'sh',
    ['-c', `exec "$0" bin/kubelimbo.js check --from ${nodes}/healthy >/dev/full`, process.execPath],
    {reject: false},
  )
  expect([exitCode, stderr]).toEqual([3, 'kubelimbo: Cannot write the result as stdout must take it: ENOSPC'])
})

test('check -o json, --json and -o yaml say the same', async () => {
  const from = ['check', '--from', `${nodes}/blockpub-hang-terminating`]
  const [json, flag, yaml] = await Promise.all([
    kubelimbo([...from, '-o', 'json']),
    kubelimbo([...from, '--json']),
    kubelimbo([...from, '-o', 'yaml']),
  ])
  expect(flag.stdout).toBe(json.stdout)
  const {parse} = await import('yaml')
  expect(parse(yaml.stdout)).toEqual(JSON.parse(json.stdout))
})

test('check prints one sentence and a hint for a file that is no bundle', async () => {
  writeFileSync(join(folder, 'text'), 'hello')
  const {stderr, stdout, exitCode} = await kubelimbo(['check', '--from', join(folder, 'text')])
  expect(exitCode).toBe(2)
  expect(stdout).toBe('')
  expect(stderr.split('\n')).toEqual([expect.stringMatching(/^kubelimbo: Cannot open .*text/), expect.stringMatching(/^hint: A bundle is/)])
})

test('check shows escapes of a hostile node as text', async () => {
  const bundle = {
    apiVersion: 'kubelimbo/v1',
    kind: 'NodeBundle',
    metadata: {node: 'n\u001b[2J', when: '2026-11-30T03:00:00Z', tool: 'test'},
    kubelet: {root: '/var/lib/kubelet'},
    readings: {'csi.drivers': {state: 'absent', why: '\u001b]0;owned\u0007'}},
  }
  writeFileSync(join(folder, 'bundle.json'), JSON.stringify(bundle))
  const {stdout} = await kubelimbo(['check', '--from', folder])
  expect(stdout).not.toContain('\u001b')
  expect(stdout).toContain('\\x1b[2J')
})

test('explain tells of every code that check can report', async () => {
  const {stdout} = await kubelimbo(['check', '--from', `${nodes}/healthy`, '-o', 'json'])
  for (const code of JSON.parse(stdout).looked) {
    const explained = await kubelimbo(['explain', code])
    expect(explained.exitCode).toBe(0)
    expect(explained.stdout).toMatch(new RegExp(`^${code} [a-z-]+\n`))
  }
  expect((await kubelimbo(['explain', 'Z99'])).exitCode).toBe(2)
})

test('npm run start:check checks a captured node in trouble, asks why, and is content', async () => {
  const {scripts} = (await import('../../package.json', {with: {type: 'json'}})).default
  const commands = scripts['start:check'].split(' && ').map((command) => command.split(' '))
  expect(commands.map(([node, bin, verb]) => [node, bin, verb])).toEqual([
    ['node', 'bin/kubelimbo.js', 'check'],
    ['node', 'bin/kubelimbo.js', 'why'],
  ])
  for (const [, , ...args] of commands) {
    const {stdout, exitCode} = await kubelimbo(args)
    expect(exitCode).toBe(0)
    expect(stdout).toContain('U01 stage-uncertain')
  }
})
