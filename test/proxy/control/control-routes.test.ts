import {expect, test} from 'vitest'
import {UserError} from '../../../src/base/errors.ts'
import {hang} from '../../../src/faults/hang.ts'
import {answerControl, type Controlled} from '../../../src/proxy/control/control-routes.ts'
import {callRing} from '../../../src/proxy/trace/call-ring.ts'
import {ledgerBook} from '../../../src/proxy/trace/ledger.ts'
import {listedRules} from '../../support/listed-rules.ts'
import {tracedCall} from '../../support/traced-calls.ts'

const ruleNamed = (name: string) => ({name, match: {to: 'csi', method: 'NodeStageVolume'}, fault: hang()}) as const
const info = {
  tool: 'kubelimbo 0.1.0',
  pid: 7,
  listen: 'unix:///l.sock',
  upstream: 'unix:///u.sock',
  seed: 1,
  startedAt: '2026-11-30T03:00:00.000Z',
  expiresAt: '2026-11-30T03:10:00.000Z',
}

function controlled(): Controlled {
  const parseRules = (text: string) => {
    if (text === '') throw new UserError('Cannot read rule 1 as it must have a name: it has none (the request:1)')
    const [names = '', seed] = text.split(';')
    return {rules: names.split(',').map(ruleNamed), ...(seed === undefined ? {} : {seed: Number(seed)})}
  }
  return {info, rules: listedRules(ruleNamed('first'), ruleNamed('second')), calls: callRing(1), ledger: ledgerBook(), parseRules}
}
const ask = (it: Controlled, method: string, path: string, body = '') => answerControl({method, path, body}, it)
const names = (it: Controlled) => it.rules.list().map(({rule}) => rule.name)

test('answerControl() says what runs', () => {
  expect(ask(controlled(), 'GET', '/v1')).toEqual({
    status: 200,
    body: {apiVersion: 'kubelimbo/v1', kind: 'Injector', ...info, paused: false},
  })
})

test('answerControl() lists the rules with what they do and how often they did', () => {
  const {body} = ask(controlled(), 'GET', '/v1/rules')
  expect(body).toMatchObject({
    paused: false,
    rules: [{name: 'first', fault: 'hang', says: expect.stringContaining('NodeStageVolume'), seen: 3, taken: 2}, {name: 'second'}],
  })
})

test('answerControl() adds rules behind the others, and shows those alone', () => {
  const it = controlled()
  expect(ask(it, 'POST', '/v1/rules', 'third,fourth')).toMatchObject({status: 201, body: {rules: [{name: 'third'}, {name: 'fourth'}]}})
  expect(names(it)).toEqual(['first', 'second', 'third', 'fourth'])
})

test('answerControl() adds none of the rules when one has a name that is taken', () => {
  const it = controlled()
  expect(() => ask(it, 'POST', '/v1/rules', 'third,second')).toThrow("Cannot add the rule 'second' as no other must have its name: one has")
  expect(names(it)).toEqual(['first', 'second'])
})

test('answerControl() removes one rule, then all', () => {
  const it = controlled()
  expect(ask(it, 'DELETE', '/v1/rules/fir%73t')).toEqual({status: 200, body: {removed: 1}})
  expect(ask(it, 'DELETE', '/v1/rules/first')).toEqual({
    status: 404,
    body: {error: "Cannot remove the rule 'first' as it must be in force: there are second"},
  })
  expect(ask(it, 'DELETE', '/v1/rules')).toEqual({status: 200, body: {removed: 1}})
  expect(ask(it, 'DELETE', '/v1/rules/first').body).toEqual({error: "Cannot remove the rule 'first' as it must be in force: there is none"})
})

test('answerControl() pauses and goes on', () => {
  const it = controlled()
  expect(ask(it, 'PUT', '/v1/paused', '{"paused": true}')).toEqual({status: 200, body: {paused: true}})
  expect(ask(it, 'GET', '/v1/paused').body).toEqual({paused: true})
  expect(ask(it, 'PUT', '/v1/paused', '{"paused": false}')).toEqual({status: 200, body: {paused: false}})
  for (const body of ['', '{}', '{"paused": 1}', 'null', '[]'])
    expect(() => ask(it, 'PUT', '/v1/paused', body)).toThrow('as it must be {"paused": true} or {"paused": false}: it is')
})

test('answerControl() has the ledger', () => {
  const it = controlled()
  it.ledger.add(tracedCall())
  expect(ask(it, 'GET', '/v1/ledger').body).toMatchObject({spenders: [{method: 'NodeStageVolume', calls: 1}], lateSuccesses: [], more: 0})
})

test.each([
  ['PATCH', '/v1/rules', 405, 'GET, POST, DELETE'],
  ['POST', '/v1', 405, 'GET'],
  ['DELETE', '/v1/calls', 405, 'GET'],
  ['GET', '/v1/rules/a/b', 404, undefined],
  ['GET', '/', 404, undefined],
  ['constructor', '/v1', 405, 'GET'],
])('answerControl() of %s %s says what there is', (method, path, status, allow) => {
  const answer = ask(controlled(), method, path)
  expect([answer.status, answer.allow]).toEqual([status, allow])
})

test.each(['/v1/rules/', '/v1/rules/.', '/v1/rules/..', '/v1/rules/%2e', '/v1/rules/%2E%2e', '/v1/rules/%'])(
  'answerControl() of DELETE %s takes no rule away',
  (path) => {
    const it = controlled()
    const {status, body} = ask(it, 'DELETE', path)
    expect([status, body]).toEqual([
      404,
      {error: expect.stringMatching(/^Cannot remove the rule '.*' as it must be in force: there are first, second$/)},
    ])
    expect(names(it)).toEqual(['first', 'second'])
  },
)

test('answerControl() says that the seed of rules that are added is not used, unless it is the one that there is', () => {
  const it = controlled()
  expect(ask(it, 'POST', '/v1/rules', 'third;9').body).toMatchObject({
    rules: [{name: 'third'}],
    warning: 'the seed 9 of these rules is not used, as an injector has one: it is 1',
  })
  for (const text of ['fourth;1', 'fifth']) expect(ask(it, 'POST', '/v1/rules', text).body).not.toHaveProperty('warning')
})
