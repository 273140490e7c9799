// A directory of the kubelet that hangs, on the kernel's own FUSE: whoever opens it is not even ended by SIGKILL.
import {readFileSync, rmSync, symlinkSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import {expect, test} from 'vitest'
import {titleOf} from '../../src/node/disk/earlier-looks.ts'
import {nodeHost} from '../../src/node/endpoints/host.ts'
import {parseMountinfo} from '../../src/node/mountinfo.ts'
import {kubelimbo, type Ran} from '../support/kubelimbo.ts'
import {brokenFuse} from '../support/mounts.ts'
import {tempDir} from '../support/socket-dir.ts'
import {treeOf} from '../support/tree.ts'

const places = ['plugins', 'plugins_registry', 'pods', '.']
const commands = ['check', 'drivers', 'volumes', 'snapshot', 'doctor', 'pods']
const mountsNow = () => parseMountinfo(readFileSync('/proc/self/mountinfo', 'utf8'))

/** Far above the deadline, so that a machine that is busy does not look like one that hangs. */
const neverMs = 60_000

test.each(places.flatMap((place) => commands.map((command) => ({place, command}))))(
  '$command ends while the root of the kubelet has $place hanging',
  async ({place, command}) => {
    const root = await treeOf({'plugins/d/': '', 'plugins_registry/': '', 'pods/u/etc-hosts': '', 'config.yaml': 'a: b'})
    const out = join(tempDir(), 'bundle.tgz')
    await using _hangs = await brokenFuse(join(root, place))
    const rooted = command === 'pods' ? ['--config', join(root, 'config.yaml')] : ['--kubelet-root', root]
    const log = command === 'pods' ? [] : ['--kubelet-log', join(root, place, 'kubelet.log')]
    const more = command === 'doctor' ? [...log, '--kubeconfig', join(root, place, 'config')] : log
    const file = command === 'snapshot' ? [out] : []
    const ran = await Promise.race([kubelimbo([command, ...file, '--deadline', '8s', ...rooted, ...more]), setTimeout(neverMs)])
    expect(ran).toBeDefined()
    expect((ran as Ran).stderr).not.toMatch(/^\s+at /m)
    if (command === 'check') expect((ran as Ran).stdout).toContain('CRITICAL V09')
    rmSync(out, {force: true})
  },
  neverMs * 2,
)

test.each([
  ['check', '--from'],
  ['pods', '--from'],
  ['check', '--host-root'],
  ['doctor', '--host-root'],
  ['check', '--kubelet-log'],
  ['snapshot', ''],
])('%s %s ends when what is named leads to a file system that hangs', async (command, flag) => {
  const folder = tempDir()
  const link = join(folder, 'link')
  symlinkSync(join(folder, 'hangs/file'), link)
  await using _hangs = await brokenFuse(join(folder, 'hangs'))
  const args = flag === '' ? [link] : [flag, flag === '--host-root' ? join(folder, 'hangs') : link]
  const ran = await Promise.race([kubelimbo([command, ...args, '--deadline', '8s']), setTimeout(neverMs)])
  expect((ran as Ran).stdout + (ran as Ran).stderr).toContain(`${folder}/hangs has not answered for 1s`)
})

test('a check leaves no second worker behind on a file system where one hangs', async () => {
  const root = await treeOf({'pods/u/etc-hosts': ''})
  const at = join(root, 'pods/u/volumes/kubernetes.io~csi/pv/mount')
  await using _hangs = await brokenFuse(at)
  const device = mountsNow().find(({mountPoint}) => mountPoint === at)?.device ?? ''
  const check = () => kubelimbo(['check', '--kubelet-root', root, '-o', 'json'])
  const first = await check()
  const workers = () =>
    nodeHost({})
      .processes()
      .filter(({name}) => name === titleOf(device))
      .map(({pid}) => pid)
  const left = workers()
  const second = await check()
  expect([left.length, workers()]).toEqual([1, left])
  for (const {stdout} of [first, second]) expect(stdout).toContain('"V09"')
  expect(second.stdout).toContain('did not answer within')
})
