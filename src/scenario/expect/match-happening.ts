// Whether what the runtime, the kubelet's log or a step tells of is what is meant.
import type {ContainerEvent, LogEvent, StepEvent} from '../../timeline/event.ts'
import {namesMatch} from '../pods.ts'
import type {LogMatcher, RuntimeMatcher, StepMatcher} from '../schema/matcher.ts'
import {textMatches} from './match-watch.ts'

export function matchesContainer({runtime, pod, container, exitCode, reason}: RuntimeMatcher, event: ContainerEvent): boolean {
  if (runtime !== event.what || (pod !== undefined && !namesMatch(pod, event.pod))) return false
  if (container !== undefined && container !== (event.container ?? 'sandbox')) return false
  return (exitCode === undefined || exitCode === event.exitCode) && textMatches(reason, event.reason)
}

export function matchesLog({log, pod, fields = {}}: LogMatcher, event: LogEvent): boolean {
  if (!event.text.includes(log)) return false
  if (pod !== undefined && (event.pod === undefined || !namesMatch(pod, event.pod))) return false
  return Object.entries(fields).every(([name, value]) => event.fields?.[name] === value)
}

export const matchesStep = ({step}: StepMatcher, {text}: StepEvent): boolean => text.includes(step)
