// A takeover in a MemoryFolder: the journal, listeners without sockets, and who has which step when.
import {EventEmitter} from 'node:events'
import type {Server} from 'node:net'
import type {Journal} from '../../src/node/takeover/journal.ts'
import {type TakenPlace, takePlace} from '../../src/proxy/takeover/take-place.ts'
import {type MemoryFolder, settled} from './memory-folder.ts'

export const journalOf = (folder: MemoryFolder): Journal => ({
  apiVersion: 'kubelimbo/v1',
  kind: 'Takeover',
  id: '0123abcd',
  tool: 'kubelimbo 0.1.0',
  socket: `/memory/${folder.path}`,
  side: '.kubelimbo-0123abcd',
  held: '.kubelimbo-0123abcd.held',
  original: folder.server.id,
  ours: [],
  bootId: 'b',
  proxy: {pid: 1, startTicks: '1'},
  startedAt: '2026-01-01T00:00:00Z',
  expiresAt: '2026-01-01T00:10:00Z',
})

function fakeServer(): Server {
  const events = new EventEmitter()
  return Object.assign(events, {close: () => events.emit('close')}) as unknown as Server
}

export function takenBy(folder: MemoryFolder, actor: string): Promise<TakenPlace> {
  return takePlace({
    journal: folder.journal,
    directory: '/memory',
    folder: folder.as(actor),
    serverFor: fakeServer,
    dress: () => folder.step(actor, 'dress', () => undefined),
    write: (journal) =>
      folder.step(actor, 'write', () => {
        folder.journal = journal
      }),
  })
}

/** One step after the other until `work` is done. */
export async function undisturbed<T>(folder: MemoryFolder, work: Promise<T>): Promise<T> {
  let over = false
  const end = () => {
    over = true
  }
  work.then(end, end)
  for (;;) {
    await settled()
    if (over) return work
    folder.grant(0)
  }
}
