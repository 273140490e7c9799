// A loop device over a block device of a pod: as long as it is there, nothing else can come to be called what the pod's device is called.
// Upstream: volume/util/volumepathhandler/volume_path_handler_linux.go
import {execFile} from 'node:child_process'
import {readdir, readFile, realpath} from 'node:fs/promises'
import {promisify} from 'node:util'
import {type Disk, DiskError} from '../../kubelet/disk.ts'

const run = promisify(execFile)

/** Asks for the rights of root. @param toReal of the kubelet's paths */
export function fileDevices(toReal: (path: string) => string): Required<Pick<Disk, 'attachFileDevice' | 'detachFileDevice'>> {
  return {
    attachFileDevice: async (path) => {
      if ((await loopDevice(toReal(path))) === undefined) await losetup(['--find', toReal(path)], path)
    },
    detachFileDevice: async (path) => {
      const device = await loopDevice(toReal(path))
      if (device !== undefined) await losetup(['--detach', device], path)
    },
  }
}

/** The one that stands on that file. Upstream: getLoopDeviceFromSysfs */
async function loopDevice(path: string): Promise<string | undefined> {
  const file = await realpath(path).catch(() => undefined)
  if (file === undefined) return undefined
  for (const name of await readdir('/sys/block')) {
    if (!name.startsWith('loop')) continue
    const backing = await readFile(`/sys/block/${name}/loop/backing_file`, 'utf8').catch(() => '')
    if (backing.trim() === file) return `/dev/${name}`
  }
  return undefined
}

async function losetup(args: readonly string[], path: string): Promise<void> {
  try {
    await run('losetup', args)
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error)
    throw Object.assign(new DiskError('EINVAL', path), {message: `losetup ${args.join(' ')} failed: ${said}`})
  }
}
