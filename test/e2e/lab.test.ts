import {existsSync, readFileSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {execa} from 'execa'
import {expect, onTestFinished, test} from 'vitest'
import {parse} from 'yaml'
import {restClient} from '../../src/lab/remote/rest-client.ts'
import {birthOf} from '../../src/lab/up/lab-record.ts'
import {kubelimbo, ownEnv, start} from '../support/kubelimbo.ts'
import {tempDir} from '../support/socket-dir.ts'
import {until} from '../support/until.ts'

/** A lab in a folder of its own, down at the end of the test whatever comes. */
async function lab(...more: readonly string[]) {
  const folder = join(tempDir(), 'lab')
  const at = ['--dir', folder]
  onTestFinished(async () => {
    await kubelimbo(['lab', 'down', ...at])
  }, 20_000)
  const up = await kubelimbo(['lab', 'up', ...at, '-o', 'json', ...more])
  expect(up).toMatchObject({exitCode: 0, stderr: ''})
  return {folder, at, record: JSON.parse(up.stdout)}
}

/** What kubectl would do, with nothing but the kubeconfig. */
function clientOf(path: string) {
  const {clusters, users} = parse(readFileSync(path, 'utf8'))
  const {server: url, 'certificate-authority-data': authority} = clusters[0].cluster
  return restClient({url, token: users[0].user.token, ca: Buffer.from(authority, 'base64').toString()})
}

const mode = (path: string) => statSync(path).mode & 0o777

test('lab up starts a node whose pods run, status shows it, and down leaves nothing of it', async () => {
  const {folder, at, record} = await lab()
  expect(record).toMatchObject({
    kind: 'Lab',
    profile: '1.36.2',
    scale: 1,
    runtime: `unix://${folder}/runtime.sock`,
    claims: ['default/data', 'default/device'],
  })
  expect([folder, record.kubeconfig, join(folder, 'runtime.sock'), join(folder, 'lab.json')].map(mode)).toEqual([
    0o700, 0o600, 0o600, 0o600,
  ])
  using client = clientOf(record.kubeconfig)
  const volumes = [{name: 'data', persistentVolumeClaim: {claimName: 'data'}}]
  const containers = [{name: 'main', image: 'busybox', command: ['sleep', 'infinity'], volumeMounts: [{name: 'data', mountPath: '/data'}]}]
  const pod = {apiVersion: 'v1', kind: 'Pod', metadata: {name: 'web'}, spec: {terminationGracePeriodSeconds: 1, volumes, containers}}
  await client.call({method: 'POST', path: '/api/v1/namespaces/default/pods', body: pod})
  const phase = async () => (await client.call({method: 'GET', path: '/api/v1/namespaces/default/pods/web'})) as {status: {phase: string}}
  await until(async () => expect((await phase()).status.phase).toBe('Running'), 200)
  const pods = await kubelimbo(['pods', '-r', record.runtime, '-o', 'json'])
  expect(JSON.parse(pods.stdout).items).toMatchObject([{metadata: {name: 'web', namespace: 'default'}, state: 'SANDBOX_READY'}])
  const drivers = await kubelimbo(['drivers', '--kubelet-root', record.kubeletRoot, '-r', record.runtime, '-o', 'json'])
  expect(drivers.stdout).toContain('csi.example.com')
  const asked = [
    '-r',
    record.runtime,
    '--kubelet-root',
    record.kubeletRoot,
    '--kubelet-url',
    record.kubeletUrl,
    '--kubelet-log',
    record.kubeletLog,
  ]
  const check = await kubelimbo([
    'check',
    ...asked,
    '--mountinfo',
    record.mountinfo,
    '--kubeconfig',
    record.kubeconfig,
    '-o',
    'json',
    '--once',
  ])
  expect(JSON.parse(check.stdout)).toMatchObject({findings: [], looked: expect.arrayContaining(['P01', 'V06', 'V07', 'U01'])})
  await client.call({method: 'DELETE', path: '/api/v1/namespaces/default/pods/web'})
  await until(() => expect(phase()).rejects.toMatchObject({code: 'NotFound'}), 200)

  const again = await kubelimbo(['lab', 'up', ...at])
  expect(again).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(`Cannot start a lab in ${folder} as none must be up there: one is`),
  })
  const status = await kubelimbo(['lab', 'status', ...at])
  expect(status).toMatchObject({exitCode: 0, stdout: expect.stringContaining(`export KUBECONFIG=${record.kubeconfig}`)})
  expect(await kubelimbo(['lab', 'down', ...at])).toMatchObject({exitCode: 0, stderr: `The lab with pid ${record.pid} is gone.`})
  expect(existsSync(folder)).toBe(false)
  expect(await birthOf(record.pid)).toBeUndefined()
  expect(await kubelimbo(['lab', 'status', ...at])).toMatchObject({exitCode: 3, stderr: expect.stringContaining('there is none')})
  expect(await kubelimbo(['lab', 'down', ...at])).toMatchObject({exitCode: 2, stderr: expect.stringContaining('there is none')})
}, 60_000)

test('lab up --scenario plays it: its pods come and go by themselves, and the verdict is in the log', async () => {
  const {folder, record} = await lab('--scenario', 'stage-timeout-filesystem', '--profile', '1.17.3', '--scale', '20')
  expect(record).toMatchObject({scenario: 'stage-timeout-filesystem', profile: '1.17.3', scale: 20})
  await until(
    async () => expect(readFileSync(join(folder, 'lab.log'), 'utf8')).toContain('stage-timeout-filesystem on 1.17.3: reproduced'),
    400,
  )
}, 60_000)

test.each([
  [
    'a folder that is too long',
    ['--dir', `/tmp/${'x'.repeat(60)}`],
    2,
    /as the path must be at most \d+ bytes long for its sockets: it is 65/,
  ],
  ['a kubelet that there is not', ['--profile', '1.0.0'], 2, /^kubelimbo: Cannot .*'1\.0\.0'/],
  ['a scenario that there is not', ['--scenario', 'nope'], 2, /^kubelimbo: Cannot find the scenario as it must be one of .*: it is 'nope'/],
  [
    'a folder that cannot be made',
    ['--dir', '/proc/x'],
    2,
    /^kubelimbo: Cannot use --dir as \/proc\/x must be a directory that can be made: /,
  ],
  ['no folder at all', ['--dir', ''], 2, /^kubelimbo: Cannot use --dir as it must name a directory: it is empty/],
  ['a scale that is too large', ['--scale', '51'], 2, /Cannot use --scale as it must be a whole number from 1 to 50: it is '51'/],
])('lab up refuses %s', async (_, args, exitCode, stderr) => {
  const dir = args.includes('--dir') ? [] : ['--dir', join(tempDir(), 'lab')]
  expect(await kubelimbo(['lab', 'up', ...dir, ...args])).toMatchObject({exitCode, stderr: expect.stringMatching(stderr)})
})

test('lab up takes a folder from where it is run, once: of two at the same time one is refused', async () => {
  const top = tempDir()
  const up = () =>
    execa(process.execPath, [join(import.meta.dirname, '../../bin/kubelimbo.js'), 'lab', 'up', '--dir', 'lab'], {
      cwd: top,
      reject: false,
      env: ownEnv,
      extendEnv: false,
    })
  onTestFinished(async () => {
    await kubelimbo(['lab', 'down', '--dir', join(top, 'lab')])
  }, 20_000)
  const ran = await Promise.all([up(), up()])
  expect(ran.map(({exitCode}) => exitCode).sort()).toEqual([0, 2])
  expect(existsSync(join(top, 'lab/lab.json'))).toBe(true)
  expect(await kubelimbo(['lab', 'down', '--dir', join(top, 'lab')])).toMatchObject({exitCode: 0})
}, 60_000)

test.each(['SIGINT', 'SIGTERM'] as const)('lab up that is ended by %s before it is done leaves nothing', async (signal) => {
  const folder = join(tempDir(), 'lab')
  const child = start(['lab', 'up', '--dir', folder])
  await until(async () => expect(existsSync(join(folder, 'lab.log'))).toBe(true), 200)
  child.kill(signal)
  expect((await child).exitCode).toBe(signal === 'SIGINT' ? 130 : 143)
  expect(existsSync(folder)).toBe(false)
})
