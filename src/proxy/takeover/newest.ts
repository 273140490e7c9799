// Which of several sockets belongs at the path: the one that the server bound last.

import type {FileId, Journal} from '../../node/takeover/journal.ts'
import {sameFile} from '../../node/takeover/same-file.ts'

export type Whose = 'ours' | 'original' | 'foreign'

export function whose(file: FileId, journal: Pick<Journal, 'ours' | 'original'>): Whose {
  if (journal.ours.some((each) => sameFile(each, file))) return 'ours'
  return sameFile(file, journal.original) ? 'original' : 'foreign'
}

export interface Named {
  readonly name: string
  readonly file: FileId
}

/** What is known of foreign sockets beyond their files. */
export class Ages {
  readonly #firstSeen = new Map<string, number>()
  readonly #writtenOff = new Set<string>()

  /** Servers bind at the path alone: what is seen in a later look came into being later, whatever the clock says. */
  see(file: FileId, turn: number): void {
    if (!this.#firstSeen.has(keyOf(file))) this.#firstSeen.set(keyOf(file), turn)
  }

  /** It is dead, and the original is alive. */
  writeOff(file: FileId): void {
    this.#writtenOff.add(keyOf(file))
  }

  revive(file: FileId): void {
    this.#writtenOff.delete(keyOf(file))
  }

  isWrittenOff(file: FileId): boolean {
    return this.#writtenOff.has(keyOf(file))
  }

  firstSeen(file: FileId): number {
    return this.#firstSeen.get(keyOf(file)) ?? 0
  }
}

const keyOf = ({inode, born}: FileId) => `${inode} ${born}`

/** Undefined when there are none. Of equals the first one. */
export async function newestOf(
  all: readonly Named[],
  ages: Ages,
  journal: Pick<Journal, 'ours' | 'original'>,
  lives: (name: string) => Promise<boolean>,
): Promise<Named | undefined> {
  const rank = ({file}: Named): number => {
    const owner = whose(file, journal)
    if (owner === 'ours') return 0
    if (owner === 'original') return 2
    return ages.isWrittenOff(file) ? 1 : 3
  }
  let [best] = all
  for (const each of all.slice(1)) {
    if (best === undefined || sameFile(each.file, best.file)) continue
    const byRank = rank(each) - rank(best)
    const bySight = ages.firstSeen(each.file) - ages.firstSeen(best.file)
    const byBirth = Number(BigInt(each.file.born) - BigInt(best.file.born))
    const order = byRank || bySight || byBirth
    // The kernel's clock goes on every few milliseconds, and not every file system knows when a file was born.
    const newer = order === 0 ? rank(each) === 3 && !(await lives(best.name)) && (await lives(each.name)) : order > 0
    if (newer) best = each
  }
  return best
}
