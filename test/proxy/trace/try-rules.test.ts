import {expect, test} from 'vitest'
import {drawsOf} from '../../../src/faults/draws.ts'
import {parseRules} from '../../../src/faults/file/read-rules.ts'
import {recordedCalls} from '../../../src/proxy/trace/recorded-calls.ts'
import {tryRules} from '../../../src/proxy/trace/try-rules.ts'
import {tracedCall} from '../../support/traced-calls.ts'

type Call = Parameters<typeof tracedCall>[0]

function tried(rules: readonly string[], calls: readonly Call[]) {
  const text = calls.map((call, index) => `${JSON.stringify(tracedCall({id: index + 1, ...call}))}\n`).join('')
  const file = `rules:\n${rules.map((rule, index) => `  - {name: r${index}, ${rule}, fault: {kind: hang}}\n`).join('')}`
  return tryRules(parseRules(file, 'r.yaml').rules, recordedCalls(text, 'calls.jsonl'), drawsOf(1))
}

const unread: Call = {}
const read: Call = {request: {volumeId: 'v'}, pvc: 'default/data'}
const [hit, miss, open] = [
  [1, 1, 0],
  [0, 0, 0],
  [0, 0, 1],
]

test.each<[string, Call, string, readonly number[] | undefined]>([
  ['of the head alone', unread, 'match: {method: NodeStageVolume}', hit],
  ['of another method', unread, "match: {method: NodeUnstageVolume, pvc: '*'}", miss],
  ['of a field', unread, 'match: {method: NodeStageVolume, request: {volumeId: v}}', open],
  ['of a field that is there', read, 'match: {method: NodeStageVolume, request: {volumeId: v}}', hit],
  ['of a field that is other', read, 'match: {method: NodeStageVolume, request: {volumeId: w}}', miss],
  ['of a field that is not set', read, "match: {method: NodeStageVolume, request: {stagingTargetPath: ''}}", hit],
  ['of a nested field', read, "match: {method: NodeStageVolume, request: {'volumeContext[a]': b}}", open],
  [
    'of a nested field, and another that is other',
    read,
    "match: {method: NodeStageVolume, request: {volumeId: w, 'volumeContext[a]': b}}",
    miss,
  ],
  ['of a claim', unread, 'match: {method: NodeStageVolume, pvc: data}', open],
  ['of a claim that is there', read, 'match: {method: NodeStageVolume, pvc: data}', hit],
  ['of a claim that is other', read, 'match: {method: NodeStageVolume, pvc: logs}', miss],
  ['that counts by a field', unread, 'match: {method: NodeStageVolume}, per: volumeId', open],
  ['that counts by a claim', unread, 'per: pvc', open],
  ['that counts by its method', unread, 'per: method', hit],
  ['that counts by a field that is there', read, 'match: {method: NodeStageVolume}, per: volumeId', hit],
  ['that counts by a nested field', read, "match: {method: NodeStageVolume}, per: 'publishContext[a]'", open],
  ['of a field that its method does not have', {method: 'Probe', service: 'csi.v1.Identity'}, 'match: {request: {volumeId: v}}', miss],
  ['of a field of a call that nobody can read', {method: 'M', service: 'a.v1.B'}, 'match: {request: {volumeId: v}}', miss],
  ['of a field that was cut', {request: {volumeId: 'vvv…'}}, 'match: {method: NodeStageVolume, request: {volumeId: v*}}', open],
  ['that is not in force yet', unread, 'match: {method: NodeStageVolume, pvc: data}, from: 1s', miss],
])('tryRules() tells a rule %s from one that cannot be told', (_, call, rule, [seen, taken, unknown] = []) => {
  const {rules, undecoded} = tried([rule], [call])
  expect(rules).toEqual([{seen, taken, unknown}])
  expect(undecoded).toBe(unknown === 1 && call === unread ? 1 : 0)
})

test('tryRules() does not know of rules behind one that may have taken the call, and knows of those before it', () => {
  const all = 'match: {method: NodeStageVolume}'
  const claims = 'match: {method: NodeStageVolume, pvc: data}'
  expect(tried([`${all}, limit: 1`, claims, all, 'match: {to: cri}'], [unread, unread, unread])).toEqual({
    rules: [
      {seen: 3, taken: 1, unknown: 0},
      {seen: 0, taken: 0, unknown: 2},
      {seen: 0, taken: 0, unknown: 2},
      {seen: 0, taken: 0, unknown: 0},
    ],
    undecoded: 2,
  })
})
