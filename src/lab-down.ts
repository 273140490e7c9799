// Ends a lab that is up, and removes its folder.
import {rm} from 'node:fs/promises'
import type {Clock} from './base/clock.ts'
import {UserError} from './base/errors.ts'
import {isUp, type LabRecord, readLabRecord} from './lab/up/lab-record.ts'

export interface LabDownRequest {
  readonly folder: string
  readonly clock: Clock
  readonly signal: AbortSignal
}

const patience = 10_000
const lookEvery = 50

/** @returns what was up; undefined when it had ended already, and only its folder was left. @throws UserError when there is no lab */
export async function labDown({folder, clock, signal}: LabDownRequest): Promise<LabRecord | undefined> {
  const record = await readLabRecord(folder)
  if (record === undefined)
    throw new UserError(`Cannot end the lab in ${folder} as one must be there: there is none`, {hint: '`kubelimbo lab up` starts one'})
  const wasUp = await isUp(record)
  if (wasUp) await end(record, clock, signal)
  await rm(folder, {recursive: true, force: true})
  return wasUp ? record : undefined
}

async function end(record: LabRecord, clock: Clock, signal: AbortSignal): Promise<void> {
  process.kill(record.pid, 'SIGTERM')
  const last = clock.now() + patience
  while (await isUp(record)) {
    // It holds nothing but its own folder and sockets, which go next.
    if (clock.now() > last) process.kill(record.pid, 'SIGKILL')
    await clock.sleep(lookEvery, signal)
  }
}
