// What a rule counts its calls by.
import {parsePath, someAt} from '../match/field-path.ts'
import type {MatchedCall} from '../rule.ts'

/** Facts of a call that are no fields of its request. */
export const perFacts = ['pod', 'podUid', 'container', 'pvc', 'service', 'method'] as const
type PerFact = (typeof perFacts)[number]

export const isFact = (per: string): per is PerFact => (perFacts as readonly string[]).includes(per)

export const isPer = (per: string): boolean => parsePath(per) !== undefined

export const perNeedsRequest = (per: string | undefined): boolean => per !== undefined && per !== 'service' && per !== 'method'

/** All calls that have no such value count together. A container is one of its pod. */
export function keyOf(per: string, call: MatchedCall): string {
  if (per === 'container') return `${call.pod ?? ''} ${call.container ?? ''}`
  if (isFact(per)) return call[per] ?? ''
  let key = ''
  someAt(call.request, per, (value) => {
    key = typeof value === 'object' || value === undefined ? '' : `${value}`
    return true
  })
  return key
}
