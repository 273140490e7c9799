import {statSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {setupKubeletRoot} from '../../../src/lab/kubelet/kubelet-root.ts'
import {tempDir} from '../../support/socket-dir.ts'

test('setupKubeletRoot() makes what a kubelet makes, twice over, and takes its socket away again', async () => {
  const root = join(tempDir(), 'kubelet')
  for (let start = 0; start < 2; start++) {
    await using _ = await setupKubeletRoot(root)
    const mode = (path: string) => (statSync(join(root, path)).mode & 0o7777).toString(8)
    expect(['pods', 'plugins', 'plugins_registry', 'pod-resources'].map(mode)).toEqual(Array(4).fill('750'))
    expect(['cpu_manager_state', 'memory_manager_state'].map(mode)).toEqual(['600', '600'])
    expect(statSync(join(root, 'pod-resources/kubelet.sock')).isSocket()).toBe(true)
    expect(mode('pod-resources/kubelet.sock')).toBe('755')
  }
  expect(() => statSync(join(root, 'pod-resources/kubelet.sock'))).toThrow('ENOENT')
})
