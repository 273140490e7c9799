// The built command, on bundles and on a running lab.
import {mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {parse} from 'yaml'
import {restClient} from '../../src/lab/remote/rest-client.ts'
import {kubelimbo, start} from '../support/kubelimbo.ts'
import {tempDir} from '../support/socket-dir.ts'
import {until} from '../support/until.ts'

const healthy = 'fixtures/nodes/healthy'
const hung = 'fixtures/nodes/stage-hang-terminating'

test('diff of a bundle and itself: no difference, 0', async () => {
  const {stdout, stderr, exitCode} = await kubelimbo(['diff', healthy, healthy])
  expect([exitCode, stderr, stdout.split('\n').at(-1)]).toEqual([0, '', 'No difference.'])
})

test('diff of two bundles: 1, the same each time, and the same in json and yaml', async () => {
  const ran = await Promise.all([[], [], ['--json'], ['-o', 'yaml']].map((flags) => kubelimbo(['diff', healthy, hung, ...flags])))
  expect(ran.map(({exitCode, stderr}) => [exitCode, stderr])).toEqual(ran.map(() => [1, '']))
  const [table, again, json, yaml] = ran.map(({stdout}) => stdout)
  expect(table).toBe(again)
  expect(table).toMatch(/^findings\n {2}\+ U01 /m)
  expect(parse(yaml ?? '')).toEqual(JSON.parse(json ?? ''))
})

test.each([
  ['no bundle is named', [], 2, 'Cannot run this as it must be told a (a bundle: a file, or a folder): it is not'],
  ['a bundle is not there', ['/nowhere/a', healthy], 2, 'Cannot open the bundle /nowhere/a'],
  ['the other bundle is not there', [healthy, '/nowhere/b'], 2, 'Cannot open the bundle /nowhere/b'],
  [
    'a flag is about this node, and both are bundles',
    [healthy, hung, '--kubelet-root', '/x'],
    2,
    'Cannot use --kubelet-root as this node must be one of the two: both are bundles',
  ],
  ['nothing can be compared', ['BARE', healthy], 3, 'Cannot tell what differs as a source must be read on both sides'],
])('diff: %s', async (_what, args, exit, message) => {
  const bare = join(tempDir(), 'bare')

  mkdirSync(bare)
  const metadata = {node: 'n1', when: '2026-11-30T03:11:04Z'}
  writeFileSync(
    join(bare, 'bundle.json'),
    JSON.stringify({apiVersion: 'kubelimbo/v1', kind: 'NodeBundle', metadata, kubelet: {root: '/r'}, readings: {}}),
  )
  const {stdout, stderr, exitCode} = await kubelimbo(['diff', ...args.map((arg) => (arg === 'BARE' ? bare : arg))])
  expect([exitCode, stdout]).toEqual([exit, ''])
  expect(stderr).toContain(message)
  expect(stderr).not.toMatch(/^\s+at /m)
})

test('diff of a bundle and the node now: nothing at first, then the pod that came, then the pod that is gone and no driver', async () => {
  const top = tempDir()
  const at = ['--dir', join(top, 'lab')]
  onTestFinished(async () => void (await kubelimbo(['lab', 'down', ...at])), 20_000)
  const up = await kubelimbo(['lab', 'up', ...at, '-o', 'json'])
  const record = JSON.parse(up.stdout)
  const flags = [
    ...['-r', record.runtime, '--kubelet-root', record.kubeletRoot, '--kubelet-url', record.kubeletUrl],
    ...['--kubelet-log', record.kubeletLog, '--mountinfo', record.mountinfo, '--kubeconfig', record.kubeconfig],
  ]
  const {clusters, users} = parse(readFileSync(record.kubeconfig, 'utf8'))
  const {server: url, 'certificate-authority-data': authority} = clusters[0].cluster
  using client = restClient({url, token: users[0].user.token, ca: Buffer.from(authority, 'base64').toString()})
  const pods = '/api/v1/namespaces/default/pods'
  const snapshot = async (name: string) => {
    expect((await kubelimbo(['snapshot', join(top, name), ...flags])).exitCode).toBe(0)
    return join(top, name)
  }
  const changes = async (bundle: string) => {
    const {stdout, exitCode} = await kubelimbo(['diff', bundle, ...flags, '-o', 'json'])
    const {differences} = JSON.parse(stdout) as {differences: {group: string; change: string; name: string}[]}
    return {exitCode, told: differences.map(({group, change, name}) => `${group} ${change} ${name}`)}
  }

  const empty = await snapshot('empty.tar.gz')
  expect(await changes(empty)).toEqual({exitCode: 0, told: []})

  const volumes = [{name: 'data', persistentVolumeClaim: {claimName: 'data'}}]
  const containers = [{name: 'main', image: 'busybox', command: ['sleep', 'infinity'], volumeMounts: [{name: 'data', mountPath: '/data'}]}]
  const spec = {terminationGracePeriodSeconds: 1, volumes, containers}
  await client.call({method: 'POST', path: pods, body: {apiVersion: 'v1', kind: 'Pod', metadata: {name: 'web'}, spec}})
  const phase = async () => ((await client.call({method: 'GET', path: `${pods}/web`})) as {status: {phase: string}}).status.phase
  await until(async () => expect(await phase()).toBe('Running'), 200)
  const came = await changes(empty)
  expect(came.exitCode).toBe(1)
  expect(came.told).toEqual(
    expect.arrayContaining([
      'pods appeared default/web',
      expect.stringMatching(/^sandboxes appeared default\/web /),
      expect.stringMatching(/^containers appeared default\/web main /),
      expect.stringMatching(/^volumes appeared .* of default\/web$/),
    ]),
  )
  expect(came.told.filter((line) => / gone /.test(line))).toEqual([])

  const running = await snapshot('running.tar.gz')
  expect(await changes(running)).toEqual({exitCode: 0, told: []})
  // A bundle that answers does not differ from itself.
  const root = join(top, 'replay')
  const replay = start(['replay', running, '--dir', root, '--for', '1m'])
  onTestFinished(() => void replay.kill('SIGKILL'))
  let said = ''
  replay.stdout.on('data', (data) => (said += data))
  await until(async () => expect(said).toContain('Replaying'), 300, 50)
  const replayed = await kubelimbo(['diff', running, '--host-root', root])
  expect(replayed).toMatchObject({exitCode: 0, stdout: expect.stringMatching(/\nNo difference\.$/)})
  replay.kill('SIGINT')
  await client.call({method: 'DELETE', path: `${pods}/web`})
  await until(() => expect(phase()).rejects.toMatchObject({code: 'NotFound'}), 200)
  const gone = await changes(running)
  expect(gone.exitCode).toBe(1)
  expect(gone.told).toEqual(expect.arrayContaining(['pods gone default/web', expect.stringMatching(/^volumes gone .* of default\/web$/)]))
  expect(gone.told.filter((line) => / appeared /.test(line))).toEqual([])

  const before = await snapshot('before.tar.gz')
  rmSync(record.drivers[0].endpoint.replace('unix://', ''))
  const without = await changes(before)
  expect(without.told).toEqual([expect.stringMatching(/^drivers changed csi\.example\.com$/)])

  // What is there no more to be asked is not gone.
  const blind = await kubelimbo(['diff', running, '-r', `unix://${join(top, 'none.sock')}`, ...flags.slice(2), '-o', 'json'])
  const {differences} = JSON.parse(blind.stdout) as {differences: {group: string; change: string; sources: string[]}[]}
  expect(differences).toContainEqual(
    expect.objectContaining({group: 'sources', key: 'runtime.sandboxes', fields: [{field: 'state', from: 'read', to: 'not read'}]}),
  )
  expect(differences.filter(({group, change}) => change === 'gone' && ['sandboxes', 'containers'].includes(group))).toEqual([])
}, 90_000)
