import {expect, test} from 'vitest'
import {counted} from '../../../src/faults/decide.ts'
import {hang} from '../../../src/faults/hang.ts'
import {mayMatch} from '../../../src/faults/match/may-match.ts'
import {refuse} from '../../../src/faults/refuse.ts'
import type {Rule} from '../../../src/faults/rule.ts'

const rule = (match: Rule['match'], more: Partial<Rule> = {}): Rule => ({name: 'r', match, fault: hang(), ...more})
const stage = {to: 'csi', service: 'csi.v1.Node', method: 'NodeStageVolume'} as const

test.each<[string, readonly Rule[], string]>([
  ['no rule', [], 'no'],
  ['a rule for any call', [rule({})], 'by-head'],
  ['a rule for its method', [rule({method: 'NodeStageVolume'})], 'by-head'],
  ['a rule for methods like it', [rule({method: 'Node*Volume'})], 'by-head'],
  ['a rule for another method', [rule({method: 'NodeUnstageVolume', pvc: 'a/b'})], 'no'],
  ['a rule for another service', [rule({service: 'csi.v1.Controller', request: {volumeId: 'v'}})], 'no'],
  ['a rule for its service in any version', [rule({service: 'csi.Node'})], 'by-head'],
  ['a rule for another callee', [rule({to: 'cri', pod: 'a/b'})], 'no'],
  ['a field of the request', [rule({method: 'NodeStageVolume', request: {volumeId: 'v'}})], 'by-message'],
  ['a pod', [rule({pod: 'a/b'})], 'by-message'],
  ["a pod's uid", [rule({podUid: 'u'})], 'by-message'],
  ['a container', [rule({container: 'c'})], 'by-message'],
  ['a claim', [rule({pvc: 'a/b'})], 'by-message'],
  ['counts for each claim', [rule({}, {per: 'pvc'})], 'by-message'],
  ['counts for each method', [rule({}, {per: 'method'})], 'by-head'],
  ['a rule by its head before one by its message', [rule({}), rule({pvc: 'a/b'})], 'by-message'],
  ['a rule that asks for more of other calls', [rule({}), rule({method: 'Probe', pvc: 'a/b'})], 'by-head'],
  ['a fault of the socket', [rule({}, {fault: refuse()})], 'no'],
])('mayMatch() of %s', (_, rules, answer) => {
  expect(mayMatch(counted(rules), stage)).toBe(answer)
})
