// Whether a call is the one that is meant.
import {errorClass, goCode} from '../../kubelet/volumes/error-class.ts'
import type {CallEvent} from '../../timeline/event.ts'
import {namesMatch} from '../pods.ts'
import type {CallMatcher} from '../schema/matcher.ts'

export function matchesCall({call, to, pod, container, request, outcome, class: kind, fault}: CallMatcher, event: CallEvent): boolean {
  if (call !== 'any' && call !== event.method) return false
  if (to !== undefined && to !== event.to) return false
  if (pod !== undefined && (event.pod === undefined || !namesMatch(pod, event.pod))) return false
  if (container !== undefined && container !== event.container) return false
  if (fault !== undefined && fault !== event.fault) return false
  if (outcome !== undefined && (event.outcome === undefined || (outcome !== 'any' && outcome !== event.outcome))) return false
  if (kind !== undefined && (event.outcome === undefined || event.outcome === 'OK' || errorClass(goCode(event.outcome)) !== kind))
    return false
  return request === undefined || Object.entries(request).every(([name, value]) => event.request[name] === value)
}
