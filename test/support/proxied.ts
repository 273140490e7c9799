// The proxy in the ways in which it must not be noticed.
import {join} from 'node:path'
import {systemClock} from '../../src/base/clock.ts'
import type {Plan} from '../../src/faults/plan.ts'
import type {Rule} from '../../src/faults/rule.ts'
import {type ProxyOptions, serveProxy} from '../../src/proxy/serve-proxy.ts'
import type {Listening} from './listening.ts'

export type Between = (upstream: string, folder: string) => Promise<Listening>

export interface Way {
  readonly name: string
  readonly open: Between
}

/** With nothing between. */
export const directly: Between = async (upstream) => ({path: upstream, [Symbol.asyncDispose]: async () => undefined})

const ruleOf = (name: string, plan: Plan, match: Rule['match'] = {}): Rule => ({name, match, fault: {kind: name, plan}})

const failing: Plan = {
  before: 0,
  forward: 0,
  upstreamDeadline: 'keep',
  reply: {kind: 'replace', with: {code: 'INTERNAL', message: 'injected'}},
}
const atOnce: Plan = {before: 0, forward: 1, upstreamDeadline: 'keep', reply: {kind: 'hold', ms: 0}}

export const ways: readonly Way[] = [
  {name: 'no rule', open: through({rules: []})},
  {
    name: 'a rule that matches nothing and all calls decoded',
    open: through({rules: [ruleOf('never', failing, {request: {no_such_field: 'x'}})], decodeAll: true}),
  },
  {name: 'no time before and after every call', open: through({rules: [ruleOf('at-once', atOnce)]})},
]

let next = 0

/** A socket in the folder where the server has one, a port where it has a port. */
export function through(options: Pick<ProxyOptions, 'rules' | 'decodeAll'>): Between {
  return async (upstream, folder) => {
    const listen = upstream.startsWith('tcp:') ? 'tcp:127.0.0.1:0' : join(folder, `p${next++}`)
    const proxy = await serveProxy({...options, listen, upstream, seed: 1, clock: systemClock})
    return {
      path: proxy.address.replace(/^unix:\/\//, ''),
      [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose](),
    }
  }
}
