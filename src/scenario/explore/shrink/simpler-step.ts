// The same steps with one moment rounder.
import type {Step} from '../../schema/step.ts'

export function* simplerSteps(steps: readonly Step[]): Generator<readonly Step[]> {
  for (const [index, step] of steps.entries()) {
    for (const at of rounder(step.at)) {
      // In their order: a step that is to be earlier than the one before it would wait for that one.
      const before = steps.slice(0, index).findLast((each) => each.at !== undefined)?.at ?? 0
      if (at >= before) yield steps.with(index, {...step, at})
    }
    for (const plus of rounder(step.plus)) yield steps.with(index, {...step, plus})
  }
}

function rounder(moment: number | undefined): readonly number[] {
  if (moment === undefined || moment === 0) return []
  const rounded = [10_000, 5000, 1000, 500, 100].map((unit) => Math.round(moment / unit) * unit)
  return [...new Set([0, ...rounded])].filter((each) => each !== moment && precision(each) > precision(moment))
}

/** Zeros at the end; 0 is the roundest. */
const precision = (ms: number): number => (ms === 0 ? 9 : [10_000, 5000, 1000, 500, 100, 50].findIndex((unit) => ms % unit === 0) * -1)
