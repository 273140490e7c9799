// However the command ends, the kubelet ends with it.
import {readdir, readFile, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {execa} from 'execa'
import {expect, test} from 'vitest'
import {clearAway} from '../../src/lab/disk/clear-away.ts'
import {realDisk} from '../../src/lab/disk/real-disk.ts'
import {builtPeers} from '../support/built-peers.ts'
import {start} from '../support/kubelimbo.ts'
import {until} from '../support/until.ts'

const scenario = 'stage-timeout-block'
const folders = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('kl-kubelet-'))

async function kubeletsIn(folder: string): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return lines.filter((line) => line.includes(`--root-dir=${join(tmpdir(), folder)}/`))
}

test.each([
  ['SIGINT', 130, true],
  ['SIGTERM', 143, true],
  ['SIGKILL', undefined, false],
] as const)('%s of repro --kubelet ends the kubelet, too', async (signal, exitCode, leavesNothing) => {
  const [binary = ''] = await builtPeers('kubelet')
  const before = await folders()
  const child = start(['repro', scenario, '--kubelet', binary])
  const folder = await until(async () => {
    const [own] = (await folders()).filter((name) => !before.includes(name))
    if (own === undefined || (await kubeletsIn(own)).length === 0) throw new Error('no kubelet runs yet')
    return own
  })
  child.kill(signal)
  expect((await child).exitCode).toBe(exitCode)
  await until(async () => expect(await kubeletsIn(folder)).toEqual([]))
  if (leavesNothing) {
    expect(await folders()).toEqual(before)
    expect(await readFile('/proc/self/mountinfo', 'utf8')).not.toContain(folder)
  } else {
    const root = join(tmpdir(), folder, 'kubelet')
    await clearAway(realDisk({root}), root)
    await execa('umount', ['--recursive', join(tmpdir(), folder)], {reject: false})
    await rm(join(tmpdir(), folder), {recursive: true, force: true})
  }
})
