// What is opened while others go on already: whoever needs all of it waits, and hears of what failed.

export interface Openings {
  /** @returns the same promise; that it is rejected is told by all() */
  add<T>(work: Promise<T>): Promise<T>
  all(): Promise<void>
}

export function openings(): Openings {
  const works: Promise<unknown>[] = []
  return {
    add: (work) => {
      works.push(work)
      work.catch(() => undefined)
      return work
    },
    all: async () => void (await Promise.all(works)),
  }
}
