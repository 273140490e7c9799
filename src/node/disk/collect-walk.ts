// What a walk gave, whatever became of the workers that walked.
import type {DiskEntry} from '../disk.ts'
import {readVolData, type VolDataFile} from '../vol-data.ts'
import type {WalkPart, WalkRequest} from './protocol.ts'
import type {WorkerPool} from './worker-pool.ts'

export interface Walked {
  readonly entries: Map<string, DiskEntry>
  readonly volData: Map<string, VolDataFile>
  /** Why it is not whole: empty when it is. */
  readonly problems: string[]
}

export interface WalkOptions {
  readonly request: Omit<WalkRequest, 'skip'>
  readonly pool: WorkerPool
  readonly quietMs: number
  readonly signal: AbortSignal
}

/** Fills `walked` as the parts come, so that it has them when the signal ends the walk. Rejects with the signal's reason. */
export async function collectWalk(walked: Walked, {request, pool, quietMs, signal}: WalkOptions): Promise<void> {
  const entered = new Set<string>()
  let last = ''
  const onPart = (part: WalkPart) => {
    take(walked, part)
    last = part.entering
    if (last !== '') entered.add(last)
  }
  for (;;) {
    const before = entered.size
    const asked = await pool.ask('walk', {...request, skip: [...entered]}, {quietMs, signal, onPart})
    if (asked.state === 'answered') return
    const why = asked.state === 'silent' ? `no answer within ${asked.afterMs} ms` : asked.why
    walked.problems.push(last === '' ? why : `${last}: ${why}`)
    // It hangs at what all directories have before them: another try would hang there, too.
    if (asked.state !== 'silent' || entered.size === before) return
  }
}

function take(walked: Walked, {entries, volData, problems}: WalkPart): void {
  for (const entry of entries) walked.entries.set(entry.path, entry)
  walked.problems.push(...problems.filter((problem) => !walked.problems.includes(problem)))
  for (const file of volData) {
    if ('base64' in file) walked.volData.set(file.path, {path: file.path, data: readVolData(Buffer.from(file.base64, 'base64'))})
    else {
      walked.volData.set(file.path, {path: file.path, data: {unreadable: file.unreadable}})
      if (file.denied) walked.problems.push(`${file.path}: ${file.unreadable}`)
    }
  }
}
