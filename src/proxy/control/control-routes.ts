// What can be asked of a proxy that runs.
import {UserError} from '../../base/errors.ts'
import type {RulesFile} from '../../faults/file/rules-schema.ts'
import type {ProxyRules} from '../rules-in-force.ts'
import type {CallRing} from '../trace/call-ring.ts'
import type {LedgerBook} from '../trace/ledger.ts'
import {ruleView} from './rule-view.ts'

/** What runs. */
export interface InjectorInfo {
  /** 'kubelimbo 0.1.0' */
  readonly tool: string
  readonly pid: number
  readonly listen: string
  readonly upstream: string
  readonly seed: number
  /** RFC 3339 */
  readonly startedAt: string
  readonly expiresAt: string
}

export interface Controlled {
  readonly info: InjectorInfo
  readonly rules: ProxyRules
  readonly calls: CallRing
  readonly ledger: LedgerBook
  /** One rule or a list of them, as a file has them. @throws UserError */
  readonly parseRules: (text: string) => RulesFile
}

export interface ControlRequest {
  readonly method: string
  /** As it came: a name in it may be '..', or look like a part of a path once it is decoded. */
  readonly path: string
  readonly body: string
}

export interface Answer {
  readonly status: number
  readonly body: object
  /** Of a method that is not for this path. */
  readonly allow?: string
}

type Route = (controlled: Controlled, request: {readonly body: string; readonly name: string}) => Answer

const ok = (body: object): Answer => ({status: 200, body})

const routes: readonly {readonly path: RegExp; readonly methods: Readonly<Record<string, Route>>}[] = [
  {path: /^\/v1\/?$/, methods: {GET: ({info, rules}) => ok({apiVersion: 'kubelimbo/v1', kind: 'Injector', ...info, paused: rules.paused})}},
  {path: /^\/v1\/rules$/, methods: {GET: listed, POST: added, DELETE: cleared}},
  // An empty name is none: it must not be taken for all.
  {path: /^\/v1\/rules\/([^/]*)$/, methods: {DELETE: removed}},
  {path: /^\/v1\/paused$/, methods: {GET: ({rules: {paused}}) => ok({paused}), PUT: paused}},
  {path: /^\/v1\/calls$/, methods: {}},
  {path: /^\/v1\/ledger$/, methods: {GET: ({ledger}) => ok(ledger.ledger())}},
]

/** @throws UserError when the request's body is wrong */
export function answerControl({method, path, body}: ControlRequest, controlled: Controlled): Answer {
  for (const route of routes) {
    const match = route.path.exec(path)
    if (match === null) continue
    const handler = Object.hasOwn(route.methods, method) ? route.methods[method] : undefined
    if (handler !== undefined) return handler(controlled, {body, name: decoded(match[1] ?? '')})
    const allow = Object.keys(route.methods).join(', ') || 'GET'
    return {status: 405, body: {error: `Cannot ${method} ${path} as the method must be one of ${allow}`}, allow}
  }
  return {
    status: 404,
    body: {error: `Cannot find ${path} as it must be one of /v1, /v1/rules, /v1/rules/NAME, /v1/paused, /v1/calls, /v1/ledger`},
  }
}

function listed({rules}: Controlled): Answer {
  return ok({paused: rules.paused, rules: rules.list().map(ruleView)})
}

/** All of them, or none. */
function added({info, rules, parseRules}: Controlled, {body}: {readonly body: string}): Answer {
  const {rules: more, seed = info.seed} = parseRules(body)
  const names = new Set(rules.list().map(({rule}) => rule.name))
  const taken = more.find(({name}) => names.has(name))
  if (taken !== undefined)
    throw new UserError(`Cannot add the rule '${taken.name}' as no other must have its name: one has`, {
      hint: 'remove that one first, or choose another name',
    })
  for (const rule of more) rules.add(rule)
  const warning =
    seed === info.seed ? {} : {warning: `the seed ${seed} of these rules is not used, as an injector has one: it is ${info.seed}`}
  return {status: 201, body: {rules: rules.list().slice(-more.length).map(ruleView), ...warning}}
}

function cleared({rules}: Controlled): Answer {
  const removed = rules.list().length
  rules.clear()
  return ok({removed})
}

function removed({rules}: Controlled, {name}: {readonly name: string}): Answer {
  if (rules.remove(name)) return ok({removed: 1})
  const names = rules.list().map(({rule}) => rule.name)
  const there = names.length === 0 ? 'there is none' : `there are ${names.join(', ')}`
  return {status: 404, body: {error: `Cannot remove the rule '${name}' as it must be in force: ${there}`}}
}

function paused({rules}: Controlled, {body}: {readonly body: string}): Answer {
  const value = jsonOf(body)
  if (typeof value !== 'object' || value === null || !('paused' in value) || typeof value.paused !== 'boolean')
    throw new UserError(`Cannot use the request as it must be {"paused": true} or {"paused": false}: it is '${body.slice(0, 80)}'`)
  rules.pause(value.paused)
  return ok({paused: rules.paused})
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
