// Events as two runs on a real clock have in common.
import type {Event} from '../../src/timeline/event.ts'

export const withoutTimes = (events: readonly Event[]): object[] =>
  events.map((event) => Object.fromEntries(Object.entries(event).filter(([key]) => key !== 'at' && key !== 'endedAt')))
