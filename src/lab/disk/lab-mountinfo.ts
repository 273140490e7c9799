// The mounts of a lab that is up as a file: they are its own, and the kernel's table does not have them.
import {writeFileSync} from 'node:fs'
import {pathMap} from './path-map.ts'
import type {LabDisk} from './tree-disk.ts'

/** As /proc/self/mountinfo would have it, were they the kernel's. */
export function writeMountinfo(path: string, disk: Pick<LabDisk, 'mounts'>, root: string): void {
  const {toReal} = pathMap(root)
  const devices = new Map<string, number>()
  const lines = disk.mounts().map(({path: mountPoint, device, kind}, index) => {
    const minor = devices.get(device) ?? devices.size + 1
    devices.set(device, minor)
    const source = escaped(device)
    const what = kind === 'directory' ? `0:${900 + minor} /` : `0:6 /${source.replaceAll('/', '-')}`
    const from = kind === 'directory' ? `tmpfs ${source}` : 'devtmpfs devtmpfs'
    return `${index + 2} 1 ${what} ${escaped(toReal(mountPoint))} rw,relatime - ${from} rw`
  })
  writeFileSync(path, `${['1 1 8:1 / / rw,relatime - ext4 /dev/root rw', ...lines].join('\n')}\n`, {mode: 0o600})
}

const escaped = (text: string): string =>
  text.replace(/[\\ \t\n]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`)
