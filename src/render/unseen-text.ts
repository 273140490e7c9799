// What was not seen: a line for each reason, with all that it keeps from view.
import type {Unseen} from '../findings/detector.ts'
import {oneLine} from './escaped.ts'

export function unseenLines(unseen: readonly Unseen[]): readonly string[] {
  const byReason = Map.groupBy(unseen, ({why}) => why)
  return [...byReason].map(([why, all]) => `  ${all.map(({source}) => oneLine(source)).join(', ')}: ${oneLine(why)}`)
}
