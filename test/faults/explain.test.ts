import {expect, test} from 'vitest'
import {delay} from '../../src/faults/delay.ts'
import {explain} from '../../src/faults/explain.ts'
import {faultOf} from '../../src/faults/faults.ts'
import {hang} from '../../src/faults/hang.ts'
import type {Rule} from '../../src/faults/rule.ts'

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
  ['a claim', {match: {method: 'NodeStageVolume', pvc: 'default/data'}}, 'every NodeStageVolume for the claim default/data'],
  ["a pod's uid", {match: {method: 'StopPodSandbox', podUid: 'u-1'}}, 'every StopPodSandbox of the pod with the uid u-1'],
  ['all calls', {match: {}}, 'every call'],
  ['all calls of a callee', {match: {to: 'csi'}}, 'every call to csi'],
  ['all calls of a service', {match: {service: 'csi.v1.Node', to: 'csi'}}, 'every call to csi.v1.Node'],
  ['methods like one', {match: {to: 'cri', method: 'List*'}}, 'every List* to cri'],
  [
    'fields with odd values',
    {match: {method: 'ExecSync', request: {'cmd[]': 'sh -c', timeout: 2, tty: false}}},
    'every ExecSync with cmd[] "sh -c", timeout 2, tty false',
  ],
  ['each n-th', {every: 2}, 'every 2nd StopContainer'],
  ['each n-th of many', {every: 13, skip: 1, limit: 4}, 'every 13th StopContainer after the first, 4 in all'],
  ['each third', {every: 23, skip: 3}, 'every 23rd StopContainer after the first 3'],
  [
    'long words cut',
    {match: {method: 'ExecSync', container: 'c'.repeat(99), request: {cmd: 'x'.repeat(81), tty: true}}},
    `every ExecSync of container ${'c'.repeat(80)}… with cmd ${'x'.repeat(80)}…, tty true`,
  ],
  ['whom a service like one is of', {match: {to: 'csi', service: '*.Node'}}, 'every call to *.Node of csi'],
  ['a probability', {probability: 0.1, limit: 2}, 'every StopContainer with a probability of 0.1, 2 in all'],
  [
    'a probability of each n-th',
    {probability: 0.1, every: 21, skip: 2},
    'every 21st StopContainer after the first 2 with a probability of 0.1',
  ],
  ['counts by themselves', {limit: 1, per: 'pod'}, 'the first StopContainer, counted for each pod by itself'],
  ['a beginning', {from: 1500}, 'every StopContainer, from 1.5 s on'],
  ['an end', {until: 300_000}, 'every StopContainer, for the first 300 s'],
  ['a time', {from: 30_000, until: 60_000, limit: 1}, 'the first StopContainer, from 30 s to 60 s'],
])('explain() says %s', (_, more, words) => {
  const rule: Rule = {name: 'r', match: {to: 'cri', method: 'StopContainer'}, fault: hang(), ...more}
  expect(explain(rule)).toBe(`${words}: do not run it and never answer`)
})

test.each([
  ['refuse', 'nobody listens on it, and its file stays'],
  ['no-socket', 'its file is not there'],
  ['accept-silent', 'connections are taken, and nothing is ever sent'],
])('explain() says of %s what becomes of the socket', (kind, words) => {
  const fault = faultOf(kind)
  expect(explain({name: 'r', match: {}, fault})).toBe(`the socket: ${words}`)
  expect(explain({name: 'r', match: {}, fault, from: 1000, until: 2500})).toBe(`the socket, from 1 s to 2.5 s: ${words}`)
})

test.each([
  [delay(100, undefined, 50), 'wait 100 to 150 ms, then run it and pass on its answer'],
  [delay(0, undefined, 50), 'wait 0 to 50 ms, then run it and pass on its answer'],
  [delay(0, 100, 50), 'run it, whatever its deadline, and answer 100 to 150 ms late'],
  [delay(10, 100, 5), 'wait 10 to 15 ms, then run it, whatever its deadline, and answer 100 to 105 ms late'],
])('explain() says jitter as what the wait may be', (fault, words) => {
  expect(explain({name: 'r', match: {method: 'Probe'}, fault})).toBe(`every Probe: ${words}`)
})
