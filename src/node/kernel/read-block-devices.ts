// The block devices that the kernel has, and the files behind loop devices.
import {basename} from 'node:path'
import {firstLine} from '../../base/errors.ts'
import type {Host} from '../endpoints/host.ts'
import {failed, type Reading, read} from '../reading.ts'
import type {BlockDevice} from './facts.ts'

const folder = '/sys/dev/block'

type DevicesHost = Pick<Host, 'filesBelow' | 'readLink' | 'readText'>

/** Never throws. */
export async function readBlockDevices(host: DevicesHost): Promise<Reading<readonly BlockDevice[]>> {
  try {
    const links = await host.filesBelow(folder)
    const devices = await Promise.all(links.map((link) => readDevice(host, link)))
    return read(devices.filter((device) => device !== undefined))
  } catch (error) {
    return failed(firstLine(error))
  }
}

async function readDevice(host: DevicesHost, link: string): Promise<BlockDevice | undefined> {
  const device = basename(link)
  if (!/^\d+:\d+$/.test(device)) return undefined
  try {
    const name = basename(await host.readLink(link))
    const backingFile = /^loop\d+$/.test(name) ? await backingFileOf(host, link) : undefined
    return {device, name, ...(backingFile !== undefined && {backingFile})}
  } catch {
    // It was taken away in the meantime.
    return undefined
  }
}

/** A loop device that is not in use has none. */
async function backingFileOf(host: DevicesHost, link: string): Promise<string | undefined> {
  try {
    // One line end is the kernel's; what is before it may be part of the name.
    const text = await host.readText(`${link}/loop/backing_file`)
    return text.replace(/\n$/, '') || undefined
  } catch {
    return undefined
  }
}
