import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {kubeletRoot} from '../../src/kubelet/disk.ts'
import {memoryDisk} from '../../src/lab/disk/memory-disk.ts'
import {rootlessDisk} from '../../src/lab/disk/rootless-disk.ts'
import {diskContract, mountableLabDisk} from '../support/disk-contract.ts'

diskContract(
  'memoryDisk()',
  async () => {
    const disk = memoryDisk(() => 0)
    await disk.mkdirAll(kubeletRoot)
    return mountableLabDisk(disk)
  },
  0,
)

diskContract(
  'rootlessDisk()',
  async () => {
    const root = mkdtempSync(join(tmpdir(), 'kl-'))
    const disk = rootlessDisk({root, now: () => 0})
    return {...mountableLabDisk(disk), [Symbol.asyncDispose]: async () => rmSync(root, {recursive: true})}
  },
  300,
)
