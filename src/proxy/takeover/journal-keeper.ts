// The journal of a takeover that is under way: who writes into it waits for who was before.

import {formatInstant} from '../../base/instant.ts'
import {oneByOne} from '../../base/one-by-one.ts'
import {ownPidNamespace, readBootId, readProcessId} from '../../node/takeover/holder.ts'
import type {FileId, Journal, TakeoverCommand} from '../../node/takeover/journal.ts'
import {createJournal, journalId, removeJournal, rewriteJournal} from './journal-file.ts'
import {heldName, sideName} from './names.ts'
import {refuse} from './refuse.ts'

export interface JournalKeeper {
  readonly path: string
  /** As it was written last. */
  readonly journal: Journal
  /** On the disk when it resolves. @throws UserError */
  change(more: Partial<Pick<Journal, 'ours' | 'watchdog'>>): Promise<void>
  /** @throws the system's error */
  remove(): Promise<void>
}

export interface NewJournal {
  readonly socket: string
  readonly original: FileId
  readonly folder: string
  readonly tool: string
  readonly command: TakeoverCommand
  readonly pid: number
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly forMs: number
}

/** It is on the disk when this resolves. @throws UserError when somebody has the socket, or it cannot be written */
export async function beginJournal({socket, original, folder, tool, command, pid, startedAt, forMs}: NewJournal): Promise<JournalKeeper> {
  const id = journalId(socket)
  const proxy = readProcessId(pid)
  if (proxy === undefined)
    throw refuse(
      socket,
      `/proc must show our own process: it shows no process ${pid}`,
      'mount proc of this pid namespace: mount -t proc proc /proc',
    )
  const pidNamespace = ownPidNamespace()
  let journal: Journal = {
    apiVersion: 'kubelimbo/v1',
    kind: 'Takeover',
    id,
    tool,
    command,
    socket,
    side: sideName(id),
    held: heldName(id),
    original,
    ours: [],
    bootId: readBootId(),
    ...(pidNamespace !== undefined && {pidNamespace}),
    proxy,
    startedAt: formatInstant(startedAt),
    expiresAt: formatInstant(startedAt + forMs),
  }
  const path = await createJournal(folder, journal)
  const inTurn = oneByOne()
  return {
    path,
    get journal() {
      return journal
    },
    change: (more) =>
      inTurn(async () => {
        journal = {...journal, ...more}
        await rewriteJournal(path, journal)
      }),
    remove: () => inTurn(() => removeJournal(path)),
  }
}
