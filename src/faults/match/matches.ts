// Whether a rule is about a call.
import type {Scalar} from '../edit.ts'
import type {Match, MatchedCall} from '../rule.ts'
import {someAt} from './field-path.ts'
import {isLike} from './glob.ts'
import {isScalarLike} from './scalar-like.ts'

/** What a call's HEADERS tell of it. */
export type CallWords = Pick<MatchedCall, 'to' | 'service' | 'method'>

export function matches(match: Match, call: MatchedCall): boolean {
  if (!matchesHead(match, call)) return false
  if (match.pod !== undefined && !like(call.pod, match.pod)) return false
  if (match.podUid !== undefined && !like(call.podUid, match.podUid)) return false
  if (match.container !== undefined && !like(call.container, match.container)) return false
  if (match.pvc !== undefined && !like(call.pvc, match.pvc)) return false
  if (match.request === undefined) return true
  for (const path in match.request) {
    const must = match.request[path] as Scalar
    if (!someAt(call.request, path, (value) => isScalarLike(value, must))) return false
  }
  return true
}

export function matchesHead({to, service, method}: Match, call: CallWords): boolean {
  if (to !== undefined && to !== call.to) return false
  if (method !== undefined && !isLike(call.method, method)) return false
  return service === undefined || (call.service !== undefined && isService(call.service, service))
}

/** Something of it is known only when the request has been read. */
export const needsRequest = ({pod, podUid, container, pvc, request}: Match): boolean =>
  pod !== undefined || podUid !== undefined || container !== undefined || pvc !== undefined || request !== undefined

const like = (value: string | undefined, pattern: string): boolean => value !== undefined && isLike(value, pattern)

const isService = (full: string, pattern: string): boolean => isLike(full, pattern) || isLike(withoutVersion(full), pattern)

/** 'csi.v1.Node' is 'csi.Node'. */
const withoutVersion = (service: string): string => service.replace(/\.v\d+(?:(?:alpha|beta)\d+)?(?=\.)/, '')
