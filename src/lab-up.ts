// Starts a lab in a process of its own, and waits until it is there to be used.
import {spawn} from 'node:child_process'
import {open, readFile, rm} from 'node:fs/promises'
import {join} from 'node:path'
import type {Clock} from './base/clock.ts'
import {UserError} from './base/errors.ts'
import {exitCodes} from './base/exit-codes.ts'
import {makeLabFolder} from './lab/up/lab-folder.ts'
import {isUp, type LabRecord, readLabRecord} from './lab/up/lab-record.ts'

export interface LabUpRequest {
  readonly folder: string
  readonly uid: number
  /** What starts us once more, as `lab serve`, with what it is to serve. */
  readonly command: readonly string[]
  readonly clock: Clock
  readonly signal: AbortSignal
}

const patience = 20_000
const lookEvery = 50

/** @throws UserError when one is up already, or when it did not come up */
export async function labUp({folder, uid, command, clock, signal}: LabUpRequest): Promise<LabRecord> {
  const before = await readLabRecord(folder)
  if (before !== undefined && (await isUp(before)))
    throw new UserError(`Cannot start a lab in ${folder} as none must be up there: one is, with pid ${before.pid}`, {
      hint: '`kubelimbo lab status` shows it, `kubelimbo lab down` ends it, --dir takes another folder',
    })
  const path = await makeLabFolder(folder, uid)
  await rm(join(path, 'lab.json'), {force: true})
  const log = join(path, 'lab.log')
  await using output = await open(log, 'w', 0o600)
  const [file = '', ...args] = command
  const child = spawn(file, args, {detached: true, stdio: ['ignore', output.fd, output.fd], cwd: '/'})
  let ended: string | undefined
  child.once('error', (error) => (ended = error.message))
  child.once('exit', (code, by) => (ended = by ?? `exit code ${code}`))
  child.unref()
  const last = clock.now() + patience
  for (;;) {
    const record = await readLabRecord(path)
    if (record !== undefined) return record
    if (ended !== undefined || clock.now() > last) {
      if (ended === undefined) child.kill()
      throw new UserError(
        `Cannot start the lab as it must come up within ${patience / 1000} s: it has not (${ended ?? 'it was stopped'})`,
        {
          hint: (await readFile(log, 'utf8')).trim().split('\n').slice(-3).join(' | ') || `see ${log}`,
          exit: exitCodes.blind,
        },
      )
    }
    await clock.sleep(lookEvery, signal)
  }
}
