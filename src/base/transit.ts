// Whether anything is still on its way between the two ends of the lab's own sockets. Both are in this process: what one end has written and the other has
// not read yet is under way, and simulated time stands still meanwhile.
import type {Socket} from 'node:net'
import {setImmediate as turn} from 'node:timers/promises'

export interface Transit {
  /** Of one listening socket. Connections are taken in the order in which they were made, so the nth of one side is the nth of the other. */
  listener(): {dialled(socket: Socket): void; accepted(socket: Socket): void}
  /** Something is under way that no socket tells of, such as a file that is read. @returns what ends it */
  begin(): () => void
  /** Resolves when nothing is under way and all promises have run. */
  quiesce(): Promise<void>
}

/** Turns of the event loop without anything under way. */
const enough = 3

interface Pair {
  dialled?: Socket
  accepted?: Socket
  /** How many of its ends are gone: with both, what one had not read is lost. */
  closed: number
}

export function transit(): Transit {
  const pairs = new Set<Pair>()
  let begun = 0
  const isStill = (): boolean => begun === 0 && [...pairs].every(isBalanced)
  return {
    listener: () => {
      const half: Record<Side, Pair[]> = {dialled: [], accepted: []}
      const join = (side: Side, socket: Socket) => {
        const pair = half[other[side]].shift() ?? {closed: 0}
        if (pair[other[side]] === undefined) half[side].push(pair)
        pair[side] = socket
        pairs.add(pair)
        socket.once('close', () => {
          if (++pair.closed === 2) pairs.delete(pair)
        })
      }
      return {dialled: (socket) => join('dialled', socket), accepted: (socket) => join('accepted', socket)}
    },
    begin: () => {
      begun++
      let open = true
      return () => {
        if (open) begun--
        open = false
      }
    },
    quiesce: async () => {
      // What the last bytes brought about has its turn, and may write again, or connect, of which nobody hears at once.
      for (let still = 0; still < enough; still++) {
        await turn()
        if (!isStill()) still = -1
      }
    },
  }
}

type Side = 'dialled' | 'accepted'
const other = {dialled: 'accepted', accepted: 'dialled'} as const

function isBalanced({dialled, accepted, closed}: Pair): boolean {
  // The other end has not heard of it yet.
  if (dialled === undefined || accepted === undefined || closed === 1) return false
  return dialled.bytesWritten === accepted.bytesRead && accepted.bytesWritten === dialled.bytesRead
}
