import {existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {execa} from 'execa'
import {expect, test} from 'vitest'
import {clearAway} from '../../src/lab/disk/clear-away.ts'
import {realDisk} from '../../src/lab/disk/real-disk.ts'
import {tempDir} from '../support/socket-dir.ts'

test('clearAway() undoes mounts that lie one upon the other, and removes nothing through them', async () => {
  const folder = realpathSync(tempDir())
  const [root, volume] = [join(folder, 'kubelet'), join(folder, 'volume')]
  for (const each of [join(root, 'pods/u/mount'), volume]) mkdirSync(each, {recursive: true})
  writeFileSync(join(volume, 'kept'), '')
  for (let count = 0; count < 3; count++) await execa('mount', ['--bind', volume, join(root, 'pods/u/mount')])
  await clearAway(realDisk({root}), root)
  expect(readFileSync('/proc/self/mountinfo', 'utf8')).not.toContain(root)
  expect(existsSync(join(root, 'pods'))).toBe(false)
  expect(existsSync(join(volume, 'kept'))).toBe(true)
})
