// What a rule keeps of one call for another, whichever connections they came by.
import type {WholeAnswer} from './answer/whole-answer.ts'
import {boundedMap} from './names/bounded-map.ts'

export interface RuleMemory {
  /** For 'stale': the last answer that the server gave, by method and request. */
  lastAnswer(key: string): WholeAnswer | undefined
  keepAnswer(key: string, answer: WholeAnswer): void
  /** For 'swap': the call that waits for the next one. */
  waiting: SwapWaiter | undefined
}

export interface SwapWaiter {
  /** The next call has been answered. */
  readonly go: () => void
}

/** Answers of so many requests, and so many bytes of them. */
const mostAnswers = 256
const mostBytes = 64 * 1024 * 1024

export function ruleMemory(): RuleMemory {
  const answers = boundedMap<string, WholeAnswer>({most: mostAnswers, mostWeight: mostBytes, weigh: ({bytes}) => bytes})
  return {
    lastAnswer: (key) => answers.get(key),
    keepAnswer: (key, answer) => answers.set(key, answer),
    waiting: undefined,
  }
}
