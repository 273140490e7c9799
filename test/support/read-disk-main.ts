// Reads the disk as a command does, in a process of its own: it must end, too. Prints the readings.
//   node read-disk-main.ts KUBELIMBO ROOT DEADLINE-MS
import {systemClock} from '../../src/base/clock.ts'
import {readDisk} from '../../src/node/disk/read-disk.ts'
import {spawnStatWorker} from '../../src/node/disk/spawn-worker.ts'
import {workerPool} from '../../src/node/disk/worker-pool.ts'
import {nodeHost} from '../../src/node/endpoints/host.ts'
import {readMounts} from '../../src/node/kernel/read-mounts.ts'
import {known} from '../../src/node/reading.ts'

const [bin = '', root = '', deadline = ''] = process.argv.slice(2)
const mounts = known(await readMounts(nodeHost({}), {file: '/proc/self/mountinfo'}))
using pool = workerPool({clock: systemClock, spawn: () => spawnStatWorker([process.execPath, bin, 'stat-worker'], {})})
const readings = await readDisk({root, locate: (path) => path, mounts, pool, clock: systemClock, deadlineMs: Number(deadline)})
process.stdout.write(`${JSON.stringify(readings)}\n`)
