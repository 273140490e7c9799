// The disk of this machine as a driver of the lab uses it, whose client is a real kubelet: its file systems are folders, its block devices are loop devices.
import {execFile} from 'node:child_process'
import {mkdirSync} from 'node:fs'
import {open, rm, stat} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {promisify} from 'node:util'
import type {Mountable} from '../disk/driver-disk.ts'
import {pathMap} from '../disk/path-map.ts'
import {bindMount} from '../disk/real-mounts.ts'
import type {LabDisk} from '../disk/tree-disk.ts'

const run = promisify(execFile)

export interface MountingDiskOptions {
  readonly disk: LabDisk
  /** The kubelet's, with no link in it. */
  readonly root: string
  /** Where the volumes lie. */
  readonly volumes: string
}

export interface MountingDisk extends LabDisk {
  /** Detaches its loop devices. */
  end(): Promise<void>
}

const deviceBytes = 1 << 20

export function mountingDisk({disk, root, volumes}: MountingDiskOptions): MountingDisk {
  const {toReal} = pathMap(root)
  const sources = new Map<Mountable, () => Promise<string>>()
  const loops = new Set<string>()
  const known = (device: string, source: () => Promise<string>): Mountable => {
    const what = {device}
    sources.set(what, source)
    return what
  }
  const attach = async (file: string): Promise<string> => {
    await using backing = await open(file, 'w')
    await backing.truncate(deviceBytes)
    const {stdout} = await run('losetup', ['--find', '--show', file])
    loops.add(stdout.trim())
    return stdout.trim()
  }
  return {
    ...disk,
    makeFilesystem: (device) => {
      const folder = join(volumes, device)
      mkdirSync(folder, {recursive: true})
      return known(device, async () => folder)
    },
    makeBlockDevice: (device) => {
      const file = join(volumes, `${device}.img`)
      mkdirSync(dirname(file), {recursive: true})
      let attached: Promise<string> | undefined
      return known(device, () => {
        attached ??= attach(file)
        return attached
      })
    },
    mount: async (what, path) => {
      const source = await sources.get(what)?.()
      if (source === undefined) throw new Error(`${what.device} is no volume of this disk`)
      await bindMount(source, toReal(path))
    },
    end: async () => {
      for (const loop of loops) {
        // A kubelet keeps one of its own over the device of a raw block volume.
        for (const upon of await loopsUpon(loop)) await detach(upon)
        await detach(loop)
      }
      await rm(volumes, {recursive: true, force: true, maxRetries: 3})
    },
  }
}

const detach = (loop: string) => run('losetup', ['--detach', loop]).catch(() => undefined)

interface LoopRow {
  readonly name: string
  readonly 'back-ino': number | string | null
  /** ' 254:0 ' */
  readonly 'back-maj:min': string | null
}

/** By file system and inode: in which mount namespace it was attached decides what path the kernel has for it. */
async function loopsUpon(device: string): Promise<readonly string[]> {
  const {ino, dev} = await stat(device)
  const {stdout} = await run('losetup', ['--json', '--list', '--output', 'NAME,BACK-INO,BACK-MAJ:MIN'])
  const {loopdevices = []} = (stdout === '' ? {} : JSON.parse(stdout)) as {readonly loopdevices?: readonly LoopRow[]}
  const isUpon = (row: LoopRow) => Number(row['back-ino']) === ino && row['back-maj:min']?.trim() === numbersOf(dev)
  return loopdevices.filter((row) => row.name !== device && isUpon(row)).map(({name}) => name)
}

/** Upstream: gnu_dev_major, gnu_dev_minor */
const numbersOf = (dev: number): string => `${(dev >> 8) & 0xfff}:${(dev & 0xff) | ((dev >> 12) & 0xfff00)}`
