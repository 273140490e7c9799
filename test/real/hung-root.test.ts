// A directory of the kubelet that hangs, on the kernel's own FUSE: whoever opens it is not even ended by SIGKILL.
import {rmSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import {expect, test} from 'vitest'
import {kubelimbo, type Ran} from '../support/kubelimbo.ts'
import {brokenFuse} from '../support/mounts.ts'
import {tempDir} from '../support/socket-dir.ts'
import {treeOf} from '../support/tree.ts'

const places = ['plugins', 'plugins_registry', 'pods', '.']
const commands = ['check', 'drivers', 'volumes', 'snapshot', 'doctor', 'pods']
/** Far above the deadline, so that a machine that is busy does not look like one that hangs. */
const neverMs = 60_000

test.each(places.flatMap((place) => commands.map((command) => ({place, command}))))(
  '$command ends while the root of the kubelet has $place hanging',
  async ({place, command}) => {
    const root = await treeOf({'plugins/d/': '', 'plugins_registry/': '', 'pods/u/etc-hosts': '', 'config.yaml': 'a: b'})
    const out = join(tempDir(), 'bundle.tgz')
    await using _hangs = await brokenFuse(join(root, place))
    const rooted = command === 'pods' ? ['--config', join(root, 'config.yaml')] : ['--kubelet-root', root]
    const more = command === 'pods' ? [] : ['--kubelet-log', join(root, place, 'kubelet.log'), '--kubeconfig', join(root, place, 'config')]
    const file = command === 'snapshot' ? [out] : []
    const ran = await Promise.race([kubelimbo([command, ...file, '--deadline', '8s', ...rooted, ...more]), setTimeout(neverMs)])
    expect(ran).toBeDefined()
    expect((ran as Ran).stderr).not.toContain(' at ')
    rmSync(out, {force: true})
  },
  neverMs * 2,
)
