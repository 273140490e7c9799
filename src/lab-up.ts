// Starts a lab in a process of its own, and waits until it is there to be used.
import {spawn} from 'node:child_process'
import {link, open, readFile, rm, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import type {Clock} from './base/clock.ts'
import {UserError} from './base/errors.ts'
import {exitCodes} from './base/exit-codes.ts'
import {makeLabFolder} from './lab/up/lab-folder.ts'
import {birthOf, isUp, type LabRecord, readLabRecord} from './lab/up/lab-record.ts'

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
  const lock = await startingLock(path)
  try {
    return await comeUp({folder: path, uid, command, clock, signal})
  } catch (error) {
    // Nothing of a lab that is not there is left.
    await rm(path, {recursive: true, force: true})
    throw error
  } finally {
    await rm(lock, {force: true})
  }
}

/** Of two at once one waits for nothing. @returns the path of the lock */
async function startingLock(folder: string): Promise<string> {
  const path = join(folder, 'starting')
  const own = `${path}.${process.pid}`
  for (;;) {
    try {
      // With what is in it from the first moment on.
      await writeFile(own, `${process.pid}`, {mode: 0o600})
      await link(own, path)
      return path
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      await rm(own, {force: true})
    }
    const holder = Number(await readFile(path, 'utf8').catch(() => ''))
    if (holder > 0 && (await birthOf(holder)) !== undefined)
      throw new UserError(`Cannot start a lab in ${folder} as none must be starting there: one is, by the process ${holder}`, {
        hint: 'wait for it, or take another folder with --dir',
      })
    // Whoever had it is gone.
    await rm(path, {force: true})
  }
}

async function comeUp({folder, command, clock, signal}: LabUpRequest): Promise<LabRecord> {
  await rm(join(folder, 'lab.json'), {force: true})
  const log = join(folder, 'lab.log')
  await using output = await open(log, 'w', 0o600)
  const [file = '', ...args] = command
  const child = spawn(file, args, {detached: true, stdio: ['ignore', output.fd, output.fd], cwd: '/'})
  let ended: {readonly code: number | null; readonly how: string} | undefined
  child.once('error', (error) => (ended = {code: null, how: error.message}))
  child.once('exit', (code, by) => (ended = {code, how: by ?? `exit code ${code}`}))
  child.unref()
  const last = clock.now() + patience
  try {
    for (;;) {
      const record = await readLabRecord(folder)
      if (record !== undefined) return record
      if (ended !== undefined) throw whatItSaid(await readFile(log, 'utf8'), ended)
      if (clock.now() > last)
        throw new UserError(`Cannot start the lab as it must come up within ${patience / 1000} s: it has not`, {exit: exitCodes.blind})
      await clock.sleep(lookEvery, signal)
    }
  } catch (error) {
    child.kill()
    // It takes its sockets away itself.
    while (ended === undefined) await clock.sleep(lookEvery)
    throw error
  }
}

/** Its own words, where it had some. */
function whatItSaid(log: string, {code, how}: {readonly code: number | null; readonly how: string}): UserError {
  const [, message] = /^kubelimbo: (.*)$/m.exec(log) ?? []
  const [, hint] = /^hint: (.*)$/m.exec(log) ?? []
  const exit = code === exitCodes.usage ? exitCodes.usage : exitCodes.blind
  return new UserError(message ?? `Cannot start the lab as its process must go on: it ended with ${how}`, {
    ...(hint === undefined ? {} : {hint}),
    exit,
  })
}
