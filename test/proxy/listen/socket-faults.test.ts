import {expect, test} from 'vitest'
import {socketFaultAt} from '../../../src/proxy/listen/socket-faults.ts'
import {noneOfCalls} from '../../support/socket-rules.ts'

const refuse = noneOfCalls('refuse', 'refuse')
const silent = noneOfCalls('silent', 'accept-silent')

test.each([
  ['no rule', [], 100, {}],
  ['a rule without a time', [refuse], 100, {fault: 'refuse', rule: refuse}],
  ['a rule whose time is to come', [{...refuse, from: 50}], 149, {changesAt: 150}],
  ['a rule whose time has come', [{...refuse, from: 50, until: 80}], 150, {fault: 'refuse', changesAt: 180}],
  ['a rule whose time is over', [{...refuse, from: 50, until: 80}], 180, {}],
  ['two rules', [silent, refuse], 100, {fault: 'accept-silent'}],
  [
    'two rules, the first one later',
    [
      {...silent, from: 10},
      {...refuse, until: 20},
    ],
    100,
    {fault: 'refuse', changesAt: 110},
  ],
] as const)('socketFaultAt() of %s', (_, rules, now, expected) => {
  const {fault, changesAt} = socketFaultAt(
    rules.map((rule) => ({rule, armedAt: 100})),
    now,
  )
  expect({fault, changesAt}).toEqual({fault: undefined, changesAt: undefined, ...('rule' in expected ? {fault: expected.fault} : expected)})
})
