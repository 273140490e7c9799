// The single executable in a Debian with nothing else, under a real containerd: it says what bin/kubelimbo.js says outside.
import {copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {commands} from '../../binary/commands.ts'
import {type Containerd, startContainerd} from '../support/containerd.ts'
import {createContainer, runPod, startContainer} from '../support/crictl-pods.ts'
import {kubelimbo, ownEnv, type Ran, singleExecutable} from '../support/kubelimbo.ts'
import {inMinbase, minbase} from '../support/minbase.ts'
import {tempDir} from '../support/socket-dir.ts'
import {treeOf} from '../support/tree.ts'

const {commands: known} = JSON.parse(readFileSync('oclif.manifest.json', 'utf8')) as {
  readonly commands: Readonly<Record<string, {readonly flags: Readonly<Record<string, unknown>>}>>
}
const copied = '/opt/kubelimbo'
const env = {...ownEnv, PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root'}

let rig: Containerd
let node: Readonly<Record<string, string>>

beforeAll(async () => {
  await minbase()
  rig = await startContainerd()
  const sandbox = await runPod(rig, {name: 'web'})
  await startContainer(rig, sandbox, {name: 'main'})
  await createContainer(rig, sandbox, {name: 'created'})
  const root = await treeOf(
    {'pods/gone/volumes/kubernetes.io~csi/pv-left/vol_data.json': '{"driverName":"d"}'},
    join(rig.folder, 'kubelet'),
  )
  const log = join(rig.folder, 'kubelet.log')
  writeFileSync(log, '')
  copyFileSync('fixtures/scenarios/failed-becomes-succeeded.yaml', join(rig.folder, 'scenario.yaml'))
  node = {'runtime-endpoint': rig.endpoint, 'kubelet-root': root, 'kubelet-log': log, now: '2026-11-30T03:21:04Z', output: 'json'}
})
afterAll(() => rig[Symbol.asyncDispose]())

const inside = (args: readonly string[]) => inMinbase({[singleExecutable]: copied, [rig.folder]: rig.folder}, [copied, ...args], env)

/** Without the moment of the look. */
const timeless = ({stdout, ...rest}: Ran): Ran => ({...rest, stdout: stdout.replace(/"when": "[^"]+Z"/, '"when": ""')})

/** Those of its flags that say where and when to look. */
function argsOf(id: string): string[] {
  const words: Readonly<Record<string, readonly string[]>> = {
    explain: ['U01'],
    why: ['default/web'],
    'repro:show': ['failed-becomes-succeeded'],
    'repro:explore': ['--runs', '3'],
    'repro:validate': [join(rig.folder, 'scenario.yaml')],
  }
  // Of a real runtime it would ask for all scenarios, in real time.
  const flags = Object.entries(id === 'repro' ? {output: 'json'} : node).flatMap(([name, value]) =>
    known[id]?.flags[name] === undefined ? [] : [`--${name}`, value],
  )
  return [id, ...(words[id] ?? []), ...flags]
}

/** Those that need more than a node to look at have tests of their own. */
const others = [
  'stat-worker',
  'snapshot',
  'doctor',
  'exam',
  'lab:up',
  'lab:serve',
  'lab:status',
  'lab:down',
  'inject',
  'inject:add',
  'inject:clear',
  'inject:explain',
  'inject:list',
  'inject:pause',
  'inject:remove',
  'trace',
  'takeover-watchdog',
  'record',
  'replay',
  'diff',
]
const ids = Object.keys(commands).filter((id) => !others.includes(id))

test.each(ids)('%s in a minbase says what it says outside', async (id) => {
  const here = await inside(argsOf(id))
  expect(timeless(here)).toEqual(timeless(await kubelimbo(argsOf(id), env)))
  expect(here.stdout).not.toBe('')
})

test.each(['pods', 'ps', 'volumes'])('%s in a minbase sees what there is', async (id) => {
  const {stdout} = await inside(argsOf(id))
  expect(stdout).toContain({pods: '"name": "web"', ps: '"name": "main"', volumes: 'pv-left'}[id])
})

test('doctor in a minbase says what it says outside, but for its mount namespace and the missing journalctl', async () => {
  const [here, there] = [await inside(argsOf('doctor')), await kubelimbo(argsOf('doctor'), env)]
  expect(doctorOf(here)).toEqual(doctorOf(there))
  expect(here.exitCode).toBe(there.exitCode)
})

function doctorOf(ran: Ran): unknown {
  const {rights, ...rest} = JSON.parse(timeless(ran).stdout) as {readonly rights: readonly {readonly name: string}[]}
  return {...rest, rights: rights.filter(({name}) => name !== 'mount namespace' && name !== 'journalctl')}
}

test('snapshot in a minbase keeps what pods shows elsewhere', async () => {
  const file = join(rig.folder, 'node.tar.gz')
  expect((await inside([...argsOf('snapshot'), file])).stderr).toBe('')
  const {stdout} = await kubelimbo(['pods', '--from', file])
  expect(stdout).toContain('web')
})

test('the single executable records, replays and compares', async () => {
  const single = (...args: readonly string[]) => kubelimbo(args, env, [singleExecutable])
  const [first, second] = ['after-delete', 'stage-hang-terminating'].map((name) => join('fixtures/nodes', name))
  const same = (ran: Ran) => ({exitCode: ran.exitCode, stdout: ran.stdout})
  const diff = ['diff', first ?? '', second ?? '']
  expect(same(await single(...diff))).toEqual(same(await kubelimbo(diff, env)))
  expect(await single('replay', second ?? '', '--for', '1s')).toMatchObject({exitCode: 0, stdout: expect.stringContaining('crictl -r')})
  const recorded = join(tempDir(), 'calls.jsonl')
  const places = ['--listen', join(tempDir(), 'cri.sock'), '--upstream', rig.endpoint]
  expect(await single('record', recorded, ...places, '--for', '1s')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('0 calls'),
  })
})

test('the single executable starts itself once more as a lab, examines the driver of it, and ends it', async () => {
  const at = ['--dir', join(tempDir(), 'lab')]
  const single = (...args: readonly string[]) => kubelimbo(args, env, [singleExecutable])
  const up = await single('lab', 'up', ...at, '-o', 'json')
  expect(up).toMatchObject({exitCode: 0, stderr: ''})
  const {drivers} = JSON.parse(up.stdout)
  const exam = await single('exam', 'use-and-leave', '--csi-endpoint', drivers[0].endpoint, '--scale', '20')
  expect(exam).toMatchObject({exitCode: 0, stdout: expect.stringContaining('1 case: 1 passed')})
  const places = ['--listen', join(tempDir(), 'csi.sock'), '--upstream', drivers[0].endpoint, '--control', join(tempDir(), 'c/c.sock')]
  const injected = await single('inject', ...places, '--fault', 'error', '--code', 'INTERNAL', '--for', '1s')
  expect(injected).toMatchObject({exitCode: 0, stdout: expect.stringContaining('error  every call: do not run it and answer INTERNAL')})
  const journals = ['--journals', join(tempDir(), 'takeover'), '--control', join(tempDir(), 'c/c.sock')]
  const taken = await single(
    'inject',
    '--socket',
    drivers[0].endpoint,
    ...journals,
    '--force',
    '--fault',
    'error',
    '--code',
    'INTERNAL',
    '--for',
    '2s',
  )
  // Its watchdog is the executable once more.
  expect(taken).toMatchObject({exitCode: 0, stderr: '', stdout: expect.stringContaining("is its server's again")})
  expect(await single('restore', ...journals.slice(0, 2))).toMatchObject({exitCode: 0})
  expect(await single('lab', 'status', ...at)).toMatchObject({exitCode: 0})
  expect(await single('lab', 'down', ...at)).toMatchObject({exitCode: 0})
}, 60_000)

test('a minbase has no Node.js, and nothing is left in it', async () => {
  const root = await minbase()
  expect(existsSync(join(root, 'usr/bin/node'))).toBe(false)
  expect(readdirSync(join(root, 'opt'))).toEqual([])
  expect(readdirSync(join(root, 'proc'))).toEqual([])
})
