// What plans keep from one call of a rule to the next: answers that are to be given again, and answers that wait for another.

export interface BetweenCalls {
  /** What the rule's last call with such a request was answered, and from now on this. */
  lastAnswer(rule: string, request: string, answer: unknown): unknown
  /** Of two calls that a rule takes one after the other, the first waits until the second has been answered. */
  pair(rule: string): Paired
}

export interface Paired {
  /** Of the first; of the second at once. */
  readonly otherAnswered: Promise<void>
  /** This call has its answer, or its caller has left: then the next one is a first again. */
  ended(): void
}

export function betweenCalls(): BetweenCalls {
  const answers = new Map<string, unknown>()
  const firsts = new Map<string, () => void>()
  return {
    lastAnswer: (rule, request, answer) => {
      const key = JSON.stringify([rule, request])
      const last = answers.has(key) ? answers.get(key) : answer
      answers.set(key, answer)
      return last
    },
    pair: (rule) => {
      const release = firsts.get(rule)
      if (release !== undefined) {
        firsts.delete(rule)
        return {otherAnswered: Promise.resolve(), ended: release}
      }
      const {promise, resolve} = Promise.withResolvers<void>()
      firsts.set(rule, resolve)
      return {
        otherAnswered: promise,
        ended: () => {
          if (firsts.get(rule) === resolve) firsts.delete(rule)
        },
      }
    },
  }
}
