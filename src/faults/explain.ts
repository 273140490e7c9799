// A rule in one sentence, made from what it matches and from its plan, so that it cannot say anything else.
import type {Plan, Reply} from './plan.ts'
import type {Rule} from './rule.ts'

/** 'the first StopPodSandbox of default/never-0: run it, whatever its deadline, and never answer' */
export function explain(rule: Rule): string {
  const {match} = rule
  const fields = Object.entries(match.request ?? {}).map(([name, value]) => `${name} ${value}`)
  const whose = [match.container === undefined ? '' : ` of container ${match.container}`, match.pod === undefined ? '' : ` of ${match.pod}`]
  const what = `${match.method}${whose.join('')}${fields.length === 0 ? '' : ` with ${fields.join(', ')}`}`
  return `${which(rule, what)}: ${done(rule.fault.plan)}`
}

function which({limit, skip = 0}: Rule, what: string): string {
  const after = skip === 0 ? '' : ` after the first${skip === 1 ? '' : ` ${skip}`}`
  if (limit === undefined) return `every ${what}${after}`
  const count = limit === 1 ? '' : ` ${limit}`
  return `the ${skip === 0 ? 'first' : 'next'}${count} ${what}${after}`
}

function done({before, forward, upstreamDeadline, reply}: Plan): string {
  const wait = before > 0 && before < Number.POSITIVE_INFINITY ? `wait ${before} ms, then ` : ''
  if (forward === 0) return `${wait}do not run it and ${answer(reply)}`
  const deadline = upstreamDeadline === 'strip' ? ', whatever its deadline,' : ''
  return `${wait}run it${forward === 2 ? ' twice' : ''}${deadline} and ${answer(reply)}`
}

function answer(reply: Reply): string {
  switch (reply.kind) {
    case 'pass':
      return 'pass on its answer'
    case 'hold':
      return reply.ms === Number.POSITIVE_INFINITY ? 'never answer' : `answer ${reply.ms} ms late`
    case 'replace':
      return 'code' in reply.with ? `answer ${reply.with.code}` : 'answer OK'
    case 'reset':
      return 'break the connection'
    default:
      return reply satisfies never
  }
}
