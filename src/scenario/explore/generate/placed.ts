// A random step with the moment that puts it in its place among the others.
import type {Step} from '../../schema/step.ts'

export interface Placed {
  readonly due: number
  readonly step: Step
}

/** What is done, as a step has it. */
export type Action = Readonly<Record<string, unknown>>

/** Done if it can be: what it is about may be gone by then. */
export const at = (due: number, action: Action): Placed => ({due, step: {at: due, optional: true, ...action} as unknown as Step})
