// Which boot this is, and when it was.
import {firstLine} from '../../base/errors.ts'
import type {Host} from '../endpoints/host.ts'
import {failed, type Reading, read} from '../reading.ts'
import type {Boot} from './facts.ts'

/** Never throws. */
export async function readBoot(host: Pick<Host, 'readText'>): Promise<Reading<Boot>> {
  try {
    const [id, stat] = await Promise.all([host.readText('/proc/sys/kernel/random/boot_id'), host.readText('/proc/stat')])
    const seconds = /^btime (\d+)$/m.exec(stat)?.[1]
    if (seconds === undefined) return failed('/proc/stat has no line of btime')
    if (id.trim() === '') return failed('/proc/sys/kernel/random/boot_id is empty')
    return read({id: id.trim(), at: Number(seconds) * 1000})
  } catch (error) {
    return failed(firstLine(error))
  }
}
