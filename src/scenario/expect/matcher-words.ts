// A matcher in words, for the sentence that says what was looked for.
import type {OnDisk} from '../schema/expectation.ts'
import type {Matcher, Seen, SeenContainer} from '../schema/matcher.ts'

export function matcherWords(matcher: Matcher): string {
  if ('call' in matcher) {
    const {call, pod, container, request, outcome, class: kind, fault} = matcher
    return joined([
      call === 'any' ? 'a call' : call,
      of(pod, container),
      fields(request),
      outcome && `answered ${outcome}`,
      kind && `answered with ${kind === 'final' ? 'a final' : 'an uncertain'} failure`,
      fault && `hit by '${fault}'`,
    ])
  }
  if ('watch' in matcher) return joined([matcher.watch === 'any' ? undefined : matcher.watch, seenWords(matcher)])
  if ('runtime' in matcher) {
    const {runtime, pod, container, exitCode, reason} = matcher
    return joined([
      container ?? 'a container',
      pod && `of ${pod}`,
      runtime,
      exitCode === undefined ? undefined : `with ${exitCode}`,
      reason,
    ])
  }
  if ('disk' in matcher) return joined([matcher.entry, matcher.path, matcher.disk])
  if ('log' in matcher) return joined([`the log line '${matcher.log}'`, matcher.pod && `of ${matcher.pod}`, fields(matcher.fields)])
  return `the step '${matcher.step}'`
}

/** 'NodeUnstageVolume of default/p was never called' */
export function neverWords(matcher: Matcher): string {
  if ('call' in matcher)
    return `${matcherWords(matcher)} was never ${matcher.outcome === undefined && matcher.class === undefined ? 'called' : 'seen'}`
  return `${matcherWords(matcher)} ${'watch' in matcher || 'log' in matcher ? 'was never seen' : 'never happened'}`
}

export function seenWords({pod, phase, reason, terminating, ready, containers = {}, initContainers = {}}: Seen): string {
  const whole = [phase, reason, terminating && 'Terminating', ready === undefined ? undefined : ready ? 'Ready' : 'not Ready']
  const each = Object.entries({...initContainers, ...containers}).map(([name, container]) => joined([name, ...containerWords(container)]))
  return joined([pod ?? 'a pod', joined(whole), each.length === 0 ? undefined : `with ${each.join(' and ')}`])
}

function containerWords({
  state,
  exitCode,
  reason,
  containerID,
  finishedAt,
  ready,
  lastExitCode,
}: SeenContainer): readonly (string | undefined)[] {
  return [
    state,
    exitCode === undefined ? undefined : `${exitCode}`,
    reason === 'absent' ? 'without a reason' : reason,
    containerID && `${containerID === 'absent' ? 'without' : 'with'} an id`,
    finishedAt && `${finishedAt === 'absent' ? 'without' : 'with'} times`,
    ready === undefined ? undefined : ready ? 'ready' : 'not ready',
    lastExitCode === undefined ? undefined : `and ${lastExitCode} before`,
  ]
}

export const diskWords = ({path, is}: OnDisk['onDisk']): string => `${path} ${is}`

const of = (pod: string | undefined, container: string | undefined) =>
  container === undefined ? pod && `of ${pod}` : `of ${container}${pod === undefined ? '' : ` in ${pod}`}`

const fields = (values: Readonly<Record<string, unknown>> | undefined) =>
  values &&
  `{${Object.entries(values)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')}}`

const joined = (parts: readonly (string | false | undefined)[]): string => parts.filter((part) => part).join(' ')
