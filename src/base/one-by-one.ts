// Works that must not overlap: each begins when all before it have ended, well or badly.

export type OneByOne = (work: () => Promise<void>) => Promise<void>

export function oneByOne(): OneByOne {
  let last: Promise<void> = Promise.resolve()
  return (work) => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }
}
