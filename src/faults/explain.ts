// A rule in one sentence, made from what it matches and from its plan, so that it cannot say anything else.
import type {Plan, Reply} from './plan.ts'
import type {Rule} from './rule.ts'

/** 'the first StopPodSandbox of default/never-0: run it, whatever its deadline, and never answer' */
export function explain(rule: Rule): string {
  const {match} = rule
  const fields = Object.entries(match.request ?? {}).map(([name, value]) => `${name} ${value}`)
  const whose = [match.container === undefined ? '' : ` of container ${match.container}`, match.pod === undefined ? '' : ` of ${match.pod}`]
  const what = `${match.method}${whose.join('')}${fields.length === 0 ? '' : ` with ${fields.join(', ')}`}`
  return `${which(rule)} ${what}: ${done(rule.fault.plan)}`
}

function which({limit, skip = 0}: Rule): string {
  const after = skip === 0 ? '' : ` after ${skip === 1 ? 'one' : skip}`
  if (limit === undefined) return `every${after === '' ? '' : `${after},`}`
  if (limit === 1 && skip > 0) return `number ${skip + 1} of`
  return limit === 1 ? 'the first' : `the ${skip === 0 ? 'first' : 'next'} ${limit}${after === '' ? '' : `${after},`}`
}

function done({before, forward, upstreamDeadline, reply}: Plan): string {
  const wait = before > 0 && before < Number.POSITIVE_INFINITY ? `wait ${before} ms, then ` : ''
  if (forward === 0) return `${wait}do not run it, ${answer(reply)}`
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
