// The single executable says what bin/kubelimbo.js says, word for word. It runs from a table of commands, the other from files.
import {readdirSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {commands} from '../../binary/commands.ts'
import {kubelimbo, singleExecutable} from '../support/kubelimbo.ts'
import {tempDir} from '../support/socket-dir.ts'
import {treeOf} from '../support/tree.ts'

const nodes = join(import.meta.dirname, '../../fixtures/nodes')
const bundles = readdirSync(nodes).map((name) => join(nodes, name))
const healthy = join(nodes, 'healthy')
const ids = Object.keys(commands)

const single = (args: readonly string[], env = {}) => kubelimbo(args, env, [singleExecutable])

async function expectParity(args: readonly string[], env = {}) {
  const [here, there] = await Promise.all([single(args, env), kubelimbo(args, env)])
  expect(here).toEqual(there)
  return here
}

const general = [
  [],
  ['--help'],
  ['-h'],
  ['help'],
  ['help', 'nonsense'],
  ['--version'],
  ['version'],
  ['--nonsense'],
  ['nonsense'],
  ['nonsense', '--help'],
  ['chek'],
  ['check:pods'],
  ['check', 'pods'],
  ['', 'check'],
  ['--', 'check'],
  ['pods', '--', '--help'],
]

test.each(general.map((args) => ({args})))('kubelimbo $args', async ({args}) => {
  const {stdout, stderr} = await expectParity(args)
  expect(stdout + stderr).not.toBe('')
})

test.each(ids)('%s explains itself and complains alike', async (id) => {
  for (const args of [['-h'], ['--nonsense'], ['-o'], ['-o', 'xml'], ['too', 'many', 'words']]) await expectParity([id, ...args])
  await expectParity(['help', id])
  expect((await expectParity([id, '--help'])).stdout).toContain(`kubelimbo ${id.replaceAll(':', ' ')}`)
})

test.each(ids)('%s --from a bundle', async (id) => {
  for (const bundle of [...bundles, '/nowhere']) await expectParity([id, '--from', bundle, '-o', 'json'])
  for (const format of ['table', 'yaml']) await expectParity([id, '--from', healthy, '-o', format])
})

test.each([
  ['explain'],
  ['explain', 'U01'],
  ['explain', 'nonsense'],
  ['why', 'default/stage-0', '--from', join(nodes, 'stage-hang-terminating')],
  ['why', 'PVC', 'default/nothing', '--from', healthy],
  ['check', '--from', healthy, '--profile', '1.17.3', '--now', '2026-11-30T03:21:04Z'],
  ['check', '--from', healthy, '--fail-on', 'info'],
  ['check', '--from', healthy, '--deadline', '1ms'],
  ['check', '--from', healthy, '-r', 'unix:///nowhere'],
  ['pods', '-r', 'unix:///nowhere'],
  ['ps', '-r', 'nonsense://'],
  ['endpoints'],
  ['endpoints', '-c', '/nowhere/crictl.yaml'],
])('kubelimbo %s %s %s %s', async (...args) => {
  await expectParity(args)
})

test('a trace for whoever asks for it names the place in our code', async () => {
  const {stderr, exitCode} = await single(['check', '--from', '/nowhere'], {KUBELIMBO_DEBUG: '1'})
  expect(stderr).toContain('at openBundle (kubelimbo.cjs:')
  expect(exitCode).toBe(2)
})

test('the single executable starts its own stat worker', async () => {
  const volume = 'volumes/kubernetes.io~csi/pv-left'
  const root = await treeOf({[`pods/u/${volume}/vol_data.json`]: '{"driverName":"d","specVolID":"pv-left"}', 'plugins/': ''})
  const {stdout} = await expectParity([
    'volumes',
    '--kubelet-root',
    root,
    '-r',
    'unix:///nowhere',
    '--now',
    '2026-11-30T03:21:04Z',
    '-o',
    'json',
  ])
  expect(stdout).toContain('pv-left')
})

test('a bundle of the one is a bundle of the other', async () => {
  const file = join(tempDir(), 'node.tar.gz')
  expect(await single(['snapshot', file, '--from', healthy])).toMatchObject({exitCode: 0, stderr: ''})
  expect((await expectParity(['check', '--from', file, '-o', 'json'])).stdout).toContain('"findings": []')
})

test('what Node.js is told for another program does not reach the single executable', async () => {
  expect(await single(['--version'], {NODE_OPTIONS: '--no-such-option'})).toMatchObject({exitCode: 0, stderr: ''})
})
