// Writes calls to a recording as they end. The proxy's calls never wait for the disk, and nothing that goes wrong here is theirs.

import {firstLine, UserError} from '../../base/errors.ts'
import {exitCodes} from '../../base/exit-codes.ts'
import {recordingLimits} from '../../node/recorded/limits.ts'
import type {RecordingHead} from '../../node/recorded/recorded-call.ts'
import {recordingLine} from '../../node/recorded/recording.ts'
import {mark} from '../../node/redaction/mark.ts'
import type {CalledMessages} from '../call/called-messages.ts'
import type {LineFile} from './line-file.ts'
import {LineQueue, type QueueLimits} from './line-queue.ts'
import {type RecordedLine, recordedLine, withoutMessages} from './recorded.ts'
import {type MethodTally, Tally} from './tally.ts'

export interface RecordingSummary {
  readonly calls: number
  readonly methods: readonly MethodTally[]
  /** Why messages are not there, and of how many calls. */
  readonly unkept: Readonly<Record<string, number>>
  /** What was taken out, by rule. */
  readonly redactions: Readonly<Record<string, number>>
  /** Calls that are not in it at all. */
  readonly missing: number
  readonly bytes: number
  /** Why it ended before its time. */
  readonly broken?: string
}

export interface Recorder {
  /** Of a call that has ended. Never throws. @param socket where clients find the server */
  add(socket: string, messages: CalledMessages): void
  /** Why it takes no more, once that is so. */
  readonly broken: Promise<string>
  /** All is on the disk when it resolves. Never rejects. */
  finish(): Promise<RecordingSummary>
}

const MiB = 1024 * 1024

const usualLimits: QueueLimits = {waiting: 64 * MiB, file: recordingLimits.file}

/** What is left for calls without their messages, when those with them have no room: one in so many parts. */
const spareParts = 16

/** The head is in the file when it resolves. @throws UserError */
export async function startRecorder(file: LineFile, head: RecordingHead, limits: QueueLimits = usualLimits): Promise<Recorder> {
  const tally = new Tally()
  const queue = new LineQueue(file, limits)
  let added = 0
  queue.push(recordingLine(head), () => undefined)
  await queue.drained()
  if (queue.isBroken)
    throw new UserError(`Cannot record as the file must take its first line: ${await queue.broken}`, {
      hint: 'make room, or name a file on another disk',
      exit: exitCodes.blind,
    })
  const hit = (rule: string): string => {
    tally.hit(rule)
    return mark
  }
  const take = ({call, line}: RecordedLine): void => {
    // What waits must not keep the messages twice.
    const {socket, service, method, code, unkept} = call
    queue.push(line, () => tally.call({socket, service, method, code, unkept}))
  }
  const add = (socket: string, messages: CalledMessages): void => {
    added++
    if (queue.isBroken) return
    const recorded = recordedLine(socket, messages, hit)
    const hasRoom = queue.hasRoomFor(recorded.line.length + limits.waiting / spareParts)
    take(hasRoom ? recorded : withoutMessages(recorded.call, 'the disk did not keep up'))
  }
  return {
    add: (socket, messages) => {
      try {
        add(socket, messages)
      } catch {
        // It is missing, and counted so: nothing of it may be told.
      }
    },
    broken: queue.broken,
    finish: async () => {
      await queue.drained()
      const closed = await file.close().then(
        () => undefined,
        (error: unknown) => firstLine(error),
      )
      const broken = queue.isBroken ? await queue.broken : closed
      const {calls, methods, unkept, redactions} = tally
      return {calls, methods, unkept, redactions, missing: added - calls, bytes: queue.written, ...(broken === undefined ? {} : {broken})}
    },
  }
}
