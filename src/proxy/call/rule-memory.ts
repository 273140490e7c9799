// What a rule keeps of one call for another, whichever connections they came by. The lab's ports have the same: src/lab/port/between-calls.ts.
import type {WholeAnswer} from './answer/whole-answer.ts'
import {boundedMap} from './names/bounded-map.ts'

export interface RuleMemory {
  /** What such a request was answered the last time, and from now on this. */
  lastAnswer(request: string, answer: WholeAnswer): WholeAnswer | undefined
  /** Of two calls that the rule takes one after the other, the first waits until the second has been answered. */
  pair(): Paired
  /** For now there is no next call. */
  release(): void
  /** There will never be one. */
  retire(): void
}

export interface Paired {
  /** Of the first; of the second at once. */
  readonly otherAnswered: Promise<void>
  /** This call has its answer, or its client has left: then the next one is a first again. */
  ended(): void
}

/** Answers to so many requests, and so many bytes of them. */
const mostAnswers = 256
const mostBytes = 64 * 1024 * 1024

export function ruleMemory(): RuleMemory {
  const answers = boundedMap<string, WholeAnswer>({most: mostAnswers, mostWeight: mostBytes, weigh: ({bytes}) => bytes})
  let first: (() => void) | undefined
  let retired = false
  const release = () => {
    first?.()
    first = undefined
  }
  return {
    lastAnswer: (request, answer) => {
      const last = answers.get(request)
      answers.set(request, answer)
      return last
    },
    pair: () => {
      if (retired) return {otherAnswered: Promise.resolve(), ended: () => undefined}
      if (first !== undefined) {
        const answered = first
        first = undefined
        return {otherAnswered: Promise.resolve(), ended: answered}
      }
      const {promise, resolve} = Promise.withResolvers<void>()
      first = resolve
      return {
        otherAnswered: promise,
        ended: () => {
          if (first === resolve) first = undefined
        },
      }
    },
    release,
    retire: () => {
      retired = true
      release()
    },
  }
}
