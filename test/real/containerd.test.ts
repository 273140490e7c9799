import {existsSync} from 'node:fs'
import {expect, test} from 'vitest'
import {startContainerd} from '../support/containerd.ts'
import {findLeftovers} from '../support/containerd-leftovers.ts'
import type {Release} from '../support/containerd-parts.ts'
import {runPod, startContainer} from '../support/crictl-pods.ts'

test.for<Release>(['debian', 'newest'])(
  'startContainerd (%s) leaves no shim, no mount and no file behind, though a pod was running',
  async (release) => {
    let folder = ''
    {
      await using rig = await startContainerd(release)
      folder = rig.folder
      await startContainer(rig, await runPod(rig, {name: 'running'}), {name: 'sleeper'})
      await startContainer(rig, await runPod(rig, {name: 'bridged', network: 'bridge'}), {name: 'sleeper'})
      const during = await findLeftovers(folder)
      expect(during.shims).toHaveLength(2)
      expect(during.mounts.length).toBeGreaterThan(0)
    }
    expect(await findLeftovers(folder)).toEqual({shims: [], mounts: []})
    expect(existsSync(folder)).toBe(false)
  },
)

test.for<Release>(['debian', 'newest'])(
  'startContainerd (%s) cleans up after a containerd that was killed with its pods running',
  async (release) => {
    const rig = await startContainerd(release)
    await startContainer(rig, await runPod(rig, {name: 'orphaned', network: 'bridge'}), {name: 'sleeper'})
    process.kill(rig.pid, 'SIGKILL')
    await rig[Symbol.asyncDispose]()
    expect(await findLeftovers(rig.folder)).toEqual({shims: [], mounts: []})
    expect(existsSync(rig.folder)).toBe(false)
  },
)
