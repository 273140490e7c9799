import {expect, test} from 'vitest'
import {simulatedClock} from '../../../src/base/simulated-clock.ts'
import {fail} from '../../../src/faults/fail.ts'
import type {MatchedCall, Rule} from '../../../src/faults/rule.ts'
import {calledMethod} from '../../../src/proxy/call/call-head.ts'
import {protectingBook} from '../../../src/proxy/call/protecting-book.ts'
import {ruleBook} from '../../../src/proxy/call/rule-book.ts'

function bookOf(...rules: readonly Partial<Rule>[]) {
  const all = rules.map((rule, at): Rule => ({name: `r${at}`, match: {}, fault: fail('INTERNAL'), ...rule}))
  const rulesInForce = ruleBook({rules: all, seed: 1, clock: simulatedClock(0)})
  return {rules: rulesInForce, book: protectingBook(rulesInForce, ['kube-system', 'other'])}
}

const stage = calledMethod('/csi.v1.Node/NodeStageVolume')
const call = (more: Partial<MatchedCall>): MatchedCall => ({...stage, request: {}, ...more})

test.each([
  ['/csi.v1.Node/NodeStageVolume', 'by-message'],
  ['/csi.v1.Controller/CreateVolume', 'by-message'],
  ['/csi.v1.Identity/Probe', 'by-head'],
  ['/csi.v1.Node/NodeGetInfo', 'by-head'],
  ['/runtime.v1.RuntimeService/StopContainer', 'by-message'],
  ['/runtime.v1alpha2.RuntimeService/RunPodSandbox', 'by-message'],
  ['/runtime.v1.ImageService/PullImage', 'by-message'],
  ['/runtime.v1.RuntimeService/ListContainers', 'by-head'],
  ['/runtime.v1.RuntimeService/GetContainerEvents', 'by-head'],
  ['/of.another/Service', 'by-head'],
])('protectingBook() has %s looked at %s', (path, may) => {
  expect(bookOf({}).book.mayMatch(calledMethod(path))).toBe(may)
  expect(bookOf().book.mayMatch(calledMethod(path))).toBe('no')
})

test.each([
  [{pod: 'kube-system/dns-1'}, 'kube-system is left alone without --force'],
  [{pvc: 'other/data'}, 'other is left alone without --force'],
  [{pod: 'a/b', pvc: 'kube-system/data'}, 'kube-system is left alone without --force'],
])('protectingBook() lets a call about %o pass, says why, and counts nothing', (about, skipped) => {
  const {rules, book} = bookOf({limit: 1})
  expect(book.decide(call(about))).toEqual({plan: expect.objectContaining({reply: {kind: 'pass'}}), skipped})
  expect(rules.list()).toMatchObject([{seen: 0, taken: 0}])
  expect(book.decide(call({pod: 'kube-system-2/dns', pvc: 'a/kube-system'})).rule?.name).toBe('r0')
  // Now no rule would have taken it.
  expect(book.decide(call(about))).not.toHaveProperty('skipped')
})

test('protectingBook() says nothing of a call that no rule is about, nor while the rules are paused', () => {
  const {rules, book} = bookOf({match: {method: 'NodePublishVolume'}}, {match: {request: {volumeId: 'v2'}}})
  expect(book.decide(call({pod: 'kube-system/dns-1'}))).not.toHaveProperty('skipped')
  const about = call({pod: 'kube-system/dns-1', request: {volumeId: 'v2'}})
  expect(book.decide(about).skipped).toBeDefined()
  rules.pause(true)
  expect(book.decide(about)).not.toHaveProperty('skipped')
})
