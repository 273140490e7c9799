// The next step about what may still heal by itself, and after every other step: see whether it is still so.
import type {Remedy} from './finding.ts'

export function checkAgain(why: string): Remedy {
  return {command: 'kubelimbo check', why, loses: null}
}
