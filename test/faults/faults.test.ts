import {readdirSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {explain} from '../../src/faults/explain.ts'
import {type FaultParameters, faultOf, faults} from '../../src/faults/faults.ts'
import type {Rule} from '../../src/faults/rule.ts'

const forever = Number.POSITIVE_INFINITY
const refused = {kind: 'replace', with: {code: 'INTERNAL', message: 'no'}}

test.each<[string, FaultParameters, object, string]>([
  [
    'fail',
    {code: 'INTERNAL', message: 'no'},
    {before: 0, forward: 0, upstreamDeadline: 'keep', reply: refused},
    'do not run it and answer INTERNAL',
  ],
  [
    'delay',
    {ms: 300},
    {before: 300, forward: 1, upstreamDeadline: 'keep', reply: {kind: 'pass'}},
    'wait 300 ms, then run it and pass on its answer',
  ],
  [
    'hang',
    {},
    {before: forever, forward: 0, upstreamDeadline: 'keep', reply: {kind: 'hold', ms: forever}},
    'do not run it and never answer',
  ],
  [
    'lose-reply',
    {},
    {before: 0, forward: 1, upstreamDeadline: 'strip', reply: {kind: 'hold', ms: forever}},
    'run it, whatever its deadline, and never answer',
  ],
  [
    'hold',
    {ms: 500},
    {before: 0, forward: 1, upstreamDeadline: 'strip', reply: {kind: 'hold', ms: 500}},
    'run it, whatever its deadline, and answer 500 ms late',
  ],
  [
    'exec-then-error',
    {code: 'INTERNAL', message: 'no'},
    {before: 0, forward: 1, upstreamDeadline: 'strip', reply: refused},
    'run it, whatever its deadline, and answer INTERNAL',
  ],
  [
    'fake-success',
    {},
    {before: 0, forward: 0, upstreamDeadline: 'keep', reply: {kind: 'replace', with: {response: {}}}},
    'do not run it and answer OK',
  ],
  ['duplicate', {}, {before: 0, forward: 2, upstreamDeadline: 'keep', reply: {kind: 'pass'}}, 'run it twice and pass on its answer'],
  [
    'reset',
    {},
    {before: 0, forward: 1, upstreamDeadline: 'strip', reply: {kind: 'reset'}},
    'run it, whatever its deadline, and break the connection',
  ],
])('faultOf() builds the plan of %s, and explain() says it', (kind, parameters, plan, words) => {
  const fault = faultOf(kind, parameters)
  expect(fault).toEqual({kind, plan})
  expect(explain({name: 'r', match: {to: 'cri', method: 'StopContainer'}, fault})).toBe(`every StopContainer: ${words}`)
})

test.each<[string, Partial<Rule>, string]>([
  ['a limit of 1', {limit: 1}, 'the first StopContainer'],
  ['a limit', {limit: 3}, 'the first 3 StopContainer'],
  ['skip', {skip: 1}, 'every StopContainer after the first'],
  ['skip and a limit of 1', {skip: 2, limit: 1}, 'the next StopContainer after the first 2'],
  ['skip and a limit', {skip: 2, limit: 3}, 'the next 3 StopContainer after the first 2'],
  ['a pod', {match: {to: 'cri', method: 'StopContainer', pod: 'default/a'}}, 'every StopContainer of default/a'],
  [
    'a container',
    {match: {to: 'cri', method: 'StopContainer', pod: 'default/a', container: 'c'}},
    'every StopContainer of container c of default/a',
  ],
  ['fields', {match: {to: 'cri', method: 'StopContainer', request: {timeout: 2}}}, 'every StopContainer with timeout 2'],
])('explain() says %s', (_, more, words) => {
  const rule: Rule = {name: 'r', match: {to: 'cri', method: 'StopContainer'}, fault: faultOf('hang'), ...more}
  expect(explain(rule)).toBe(`${words}: do not run it and never answer`)
})

test.each<[string, string, FaultParameters, RegExp]>([
  [
    'a kind that there is not',
    'vanish',
    {},
    /^Cannot use the fault as its kind must be one of refuse, .*hang-call, .*register-lost: it is 'vanish'$/,
  ],
  ['a parameter that is missing', 'hold', {}, /^Cannot use the fault 'hold' as it must have 'ms': it has none$/],
  ['parameters that are all missing', 'delay', {}, /^Cannot use the fault 'delay' as it must have one of before, after, ms: it has none$/],
  ['a parameter that it does not take', 'hang', {ms: 1}, /^Cannot use the fault 'hang' as it takes nothing: it has 'ms'$/],
])('faultOf() refuses %s', (_, kind, parameters, message) => {
  expect(() => faultOf(kind, parameters)).toThrow(message)
})

test('faults has each fault that has a file', () => {
  const others = ['apply-edits', 'decide', 'draws', 'edit', 'explain', 'fault', 'faults', 'flags', 'plan', 'rule', 'whole-messages']
  const files = readdirSync(join(import.meta.dirname, '../../src/faults'))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => name.replace(/\.ts$/, ''))
  const named = faults.map(({kind, also}) => (files.includes(kind) ? kind : also))
  expect(named.sort()).toEqual(files.filter((name) => !others.includes(name)).sort())
})
