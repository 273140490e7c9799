// The journal of a takeover: what is needed to give a socket back when nothing else is left. /run/kubelimbo/takeover/*.json, one each.
import {basename, resolve} from 'node:path'
import * as v from 'valibot'
import {readInstant} from '../../base/instant.ts'

/** A file as it cannot come again: an inode's number can. Decimal digits, as JSON's numbers are too short. */
export interface FileId {
  readonly device: string
  readonly inode: string
  /** Nanoseconds since 1970; '0' where the file system does not say. */
  readonly born: string
}

/** A process as it cannot come again. */
export interface ProcessId {
  readonly pid: number
  /** Field 22 of /proc/PID/stat. */
  readonly startTicks: string
}

export const takeoverCommands = ['inject', 'record'] as const

export type TakeoverCommand = (typeof takeoverCommands)[number]

export interface Journal {
  readonly apiVersion: 'kubelimbo/v1'
  readonly kind: 'Takeover'
  /** Eight hexadecimal digits, of the socket's path: two takeovers of one socket have one journal. */
  readonly id: string
  /** 'kubelimbo 0.1.0' */
  readonly tool: string
  /** Which has the socket. Absent: older. */
  readonly command?: TakeoverCommand
  /** The path that clients know: absolute, the directory's links resolved. */
  readonly socket: string
  /** Names beside it, both begin with a dot. `side` holds a socket of ours first, and the original from the swap on. */
  readonly side: string
  /** Where two names cannot be swapped at once: a second link to the original. */
  readonly held: string
  readonly original: FileId
  /** Every socket of ours that may lie at the path, written here before it does. */
  readonly ours: readonly FileId[]
  readonly bootId: string
  /** In which the processes have these ids: 'pid:[4026531836]', as /proc/PID/ns/pid leads to. Absent: older, or /proc did not say. */
  readonly pidNamespace?: string
  readonly proxy: ProcessId
  readonly watchdog?: ProcessId
  /** RFC 3339. */
  readonly startedAt: string
  readonly expiresAt: string
}

export const journalFolder = '/run/kubelimbo/takeover'

/** Nobody's journal is longer. */
export const journalLimit = 64 * 1024

const instant = v.pipe(
  v.string(),
  v.check((moment) => readInstant(moment) !== undefined),
)
const digits = v.pipe(v.string(), v.regex(/^\d{1,24}$/))
const fileId = v.object({device: digits, inode: digits, born: digits})
const processId = v.object({pid: v.pipe(v.number(), v.integer(), v.minValue(1)), startTicks: digits})
/** Never a path, nor '..': it is what restore renames and removes. */
const dotName = v.pipe(v.string(), v.regex(/^\.[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/))
const absolute = v.pipe(
  v.string(),
  v.check((path) => path.startsWith('/') && path !== '/' && path === resolve(path) && !path.includes('\0')),
)

const shape = v.object({
  apiVersion: v.literal('kubelimbo/v1'),
  kind: v.literal('Takeover'),
  id: v.pipe(v.string(), v.regex(/^[0-9a-f]{8}$/)),
  tool: v.string(),
  command: v.exactOptional(v.picklist(takeoverCommands)),
  socket: absolute,
  side: dotName,
  held: dotName,
  original: fileId,
  ours: v.array(fileId),
  bootId: v.string(),
  pidNamespace: v.exactOptional(v.pipe(v.string(), v.regex(/^pid:\[\d{1,20}\]$/))),
  proxy: processId,
  watchdog: v.exactOptional(processId),
  startedAt: instant,
  expiresAt: instant,
})

/** Three names of one directory, and no two of them the same. */
export const journalSchema = v.pipe(
  shape,
  v.forward(
    v.check(({side, socket}) => side !== basename(socket)),
    ['side'],
  ),
  v.forward(
    v.check(({held, side, socket}) => held !== side && held !== basename(socket)),
    ['held'],
  ),
)
