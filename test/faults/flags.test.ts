import {expect, test} from 'vitest'
import {parse} from 'yaml'
import {faultNames} from '../../src/faults/faults.ts'
import {parseRules} from '../../src/faults/file/read-rules.ts'
import type {RuleFlags} from '../../src/faults/flags/rule-flags.ts'
import {ruleOf} from '../../src/faults/flags.ts'

test.each<[string, RuleFlags, string]>([
  ['a kind alone', {fault: 'hang-call'}, '{name: hang-call, fault: {kind: hang-call}}'],
  [
    'all that matches',
    {
      fault: 'hang-call',
      name: 'r',
      to: 'other',
      service: 'example.v1.Node',
      method: 'StageAll',
      pod: 'a',
      'pod-uid': 'u',
      container: 'c',
      pvc: 'ns/*',
      request: ['volumeId=a=b', 'publishContext[k]='],
    },
    "{name: r, match: {to: other, service: example.v1.Node, method: StageAll, pod: a, podUid: u, container: c, pvc: ns/*, request: {volumeId: a=b, 'publishContext[k]': ''}}, fault: {kind: hang-call}}",
  ],
  [
    'all that counts',
    {fault: 'hang', skip: '1', every: '2', count: '3', per: 'pvc', probability: '0.25', from: '30s', until: '5m'},
    '{name: hang, skip: 1, every: 2, limit: 3, per: pvc, probability: 0.25, from: 30s, until: 5m, fault: {kind: hang}}',
  ],
  ['the n-th call', {fault: 'hang', nth: '2'}, '{name: hang, skip: 1, limit: 1, fault: {kind: hang}}'],
  [
    'an error',
    {fault: 'error', code: 'NOT_FOUND', message: 'gone', detail: ['google.rpc.ErrorInfo=CgE=']},
    "{name: error, fault: {kind: error, code: NOT_FOUND, message: gone, details: [{type: google.rpc.ErrorInfo, value: 'CgE='}]}}",
  ],
  ['an answer', {fault: 'fake-success', response: '{"a": 1}'}, '{name: fake-success, fault: {kind: fake-success, response: {a: 1}}}'],
  ['a scope', {fault: 'drop-reply', scope: 'connection'}, '{name: drop-reply, fault: {kind: drop-reply, scope: connection}}'],
  [
    'waits',
    {fault: 'delay', delay: '121s', after: '1m', jitter: '5s'},
    '{name: delay, fault: {kind: delay, before: 121s, after: 1m, jitter: 5s}}',
  ],
  ['a wait before', {fault: 'delay', before: '3'}, '{name: delay, fault: {kind: delay, before: 3}}'],
  ['a wait of hold', {fault: 'hold', after: '3s'}, '{name: hold, fault: {kind: hold, for: 3s}}'],
  [
    'messages',
    {fault: 'stream-cut', after: '3', code: 'UNAVAILABLE'},
    '{name: stream-cut, fault: {kind: stream-cut, after: 3, code: UNAVAILABLE}}',
  ],
  [
    'new values',
    {
      fault: 'rewrite',
      method: 'StopContainer',
      set: ['request:timeout=5', 'request:containerId="5"', 'request:containerId=x=y'],
    },
    '{name: rewrite, match: {method: StopContainer}, fault: {kind: rewrite, request: {timeout: 5, containerId: x=y}}}',
  ],
  [
    'new values of a reply',
    {
      fault: 'rewrite',
      method: 'ListContainers',
      set: ['reply:containers[].state=CONTAINER_UNKNOWN', 'reply:containers[].metadata={"name":"x"}'],
    },
    "{name: rewrite, match: {method: ListContainers}, fault: {kind: rewrite, reply: {'containers[].state': CONTAINER_UNKNOWN, 'containers[].metadata': {name: x}}}}",
  ],
  [
    'changes of a list',
    {fault: 'list-edit', list: 'items', drop: ['metadata.name=a', 'id=7'], duplicate: ['all'], phantom: ['id=8', 'labels[a.b]=c']},
    "{name: list-edit, fault: {kind: list-edit, list: items, drop: {metadata.name: a, id: '7'}, duplicate: all, phantom: {id: 8, 'labels[a.b]': c}}}",
  ],
  [
    'a copy',
    {fault: 'list-edit', list: 'items', phantom: ['copy']},
    '{name: list-edit, fault: {kind: list-edit, list: items, phantom: {}}}',
  ],
  ['a stale answer', {fault: 'list-edit', stale: true}, '{name: list-edit, fault: {kind: list-edit, stale: true}}'],
  ['a size', {fault: 'pad', bytes: '16MiB+1'}, '{name: pad, fault: {kind: pad, bytes: 16MiB+1}}'],
  ['a rate', {fault: 'throttle', rate: '1KiB'}, '{name: throttle, fault: {kind: throttle, bytesPerSecond: 1KiB}}'],
])('ruleOf() makes of %s the rule of a file', (_, flags, written) => {
  const [rule] = parseRules(JSON.stringify({rules: [parse(written)]}), 'r.yaml').rules
  expect(ruleOf(flags)).toEqual(rule)
})

test.each<[RuleFlags, string]>([
  [{fault: 'hang-cal'}, "Cannot use --fault as it must be a kind of fault ('hang-call' may be meant): it is 'hang-cal'"],
  [{fault: 'error'}, 'Cannot use --fault error as --code must be given: it is not there'],
  [{fault: 'stream-stall'}, 'Cannot use --fault stream-stall as --after must be given: it is not there'],
  [{fault: 'throttle'}, 'Cannot use --fault throttle as --rate must be given: it is not there'],
  [{fault: 'delay'}, "Cannot use --fault as it must be a delay with before, after or both: it is 'delay'"],
  [{fault: 'hang-call', code: 'INTERNAL'}, "Cannot use --code as it must be left out, as hang-call takes no such thing: it is 'INTERNAL'"],
  [{fault: 'error', code: 'UNAVALABLE'}, "Cannot use --code as it must be a code of gRPC ('UNAVAILABLE' may be meant): it is 'UNAVALABLE'"],
  [{fault: 'delay', delay: 'soon'}, "Cannot use --delay as it must be a duration such as 10s or 1m30s: it is 'soon'"],
  [{fault: 'delay', delay: '1s', before: '1s'}, "Cannot use --before as it must be left out with --delay, which is the same: it is '1s'"],
  [{fault: 'hang', nth: '0'}, "Cannot use --nth as it must be a whole number, 1 or more: it is '0'"],
  [{fault: 'hang', nth: '2', count: '3'}, "Cannot use --nth as it must be left out with --count: it is '2'"],
  [{fault: 'hang', count: 'many'}, "Cannot use --count as it must be a whole number: it is 'many'"],
  [{fault: 'hang', every: '0'}, "Cannot use --every as it must be 1 or more: it is '0'"],
  [{fault: 'hang', probability: '1.5'}, "Cannot use --probability as it must be from above 0 to 1: it is '1.5'"],
  [{fault: 'hang', from: '30s', until: '20s'}, "Cannot use --until as it must be after 'from', which is 30 s: it is '20s'"],
  [
    {fault: 'hang', per: 'a..b'},
    "Cannot use --per as it must be one of pod, podUid, container, pvc, service, method, or the path of a field of the request: it is 'a..b'",
  ],
  [{fault: 'hang', to: 'api'}, "Cannot use --to as it must be one of cri, csi, registration, other: it is 'api'"],
  [
    {fault: 'hang', pod: 'A'},
    "Cannot use --pod as it must be a pod's name, or namespace/name, in which * stands for any letters: it is 'A'",
  ],
  [
    {fault: 'hang', method: 'NodeStageVolum'},
    "Cannot use --method as it must be a call that there is ('NodeStageVolume' may be meant): it is 'NodeStageVolum'",
  ],
  [
    {fault: 'hang', request: ['volumeId']},
    "Cannot use --request as it must be a name and a value, such as volumeId=vol-1: it is 'volumeId'",
  ],
  [
    {fault: 'hang', request: ['a..b=1']},
    "Cannot use --request as it must be the path of a field, such as status.state or containers[].labels[app.kubernetes.io/name]: it is 'a..b=1'",
  ],
  [
    {fault: 'hang', method: 'NodeStageVolume', request: ['volumeId=x', 'volumId=x']},
    "Cannot use --request as it must be a field of NodeStageVolumeRequest ('volumeId' may be meant): it is 'volumId=x'",
  ],
  [
    {fault: 'refuse', method: 'Probe'},
    "Cannot use --method as it must be left out, as refuse is of the socket and looks at no call: it is 'Probe'",
  ],
  [{fault: 'refuse', nth: '2'}, "Cannot use --nth as it must be left out, as refuse is of the socket and looks at no call: it is '2'"],
  [
    {fault: 'rewrite', set: ['a=1']},
    "Cannot use --set as it must be a field of the request or the reply and its value, such as reply:status.state=CONTAINER_UNKNOWN: it is 'a=1'",
  ],
  [
    {fault: 'rewrite', method: 'ContainerStatus', set: ['reply:status.exitCode=x']},
    "Cannot use --set as it must be a number: it is 'reply:status.exitCode=x'",
  ],
  [{fault: 'fake-success', response: '{'}, "Cannot use --response as it must be JSON: it is '{'"],
  [{fault: 'fake-success', response: '[1]'}, "Cannot use --response as it must be a map: it is '[1]'"],
  [
    {fault: 'list-edit', list: 'items', phantom: ['x']},
    "Cannot use --phantom as it must be a name and a value, such as volumeId=vol-1: it is 'x'",
  ],
  [{fault: 'pad', bytes: '16MB'}, "Cannot use --bytes as it must be a number of bytes such as 4096, 64KiB, 16MiB+1 or 1GiB: it is '16MB'"],
  [{fault: 'drop-reply', scope: 'all'}, "Cannot use --scope as it must be one of stream, connection: it is 'all'"],
  [
    {fault: 'register-lost', method: 'GetInfo'},
    "Cannot use --method as it must be left out, as register-lost is about NotifyRegistrationStatus alone: it is 'GetInfo'",
  ],
])('ruleOf() refuses %j and names the flag', (flags, message) => {
  expect(() => ruleOf(flags)).toThrow(expect.objectContaining({name: 'UserError', message}))
})

test.each(faultNames)('ruleOf() has flags for all that %s needs', (fault) => {
  const more: readonly Omit<RuleFlags, 'fault'>[] = [
    {},
    {code: 'INTERNAL'},
    {after: '1'},
    {bytes: '1'},
    {rate: '1'},
    {set: ['reply:a=1']},
    {stale: true},
  ]
  const taken = more.filter((flags) => {
    try {
      return ruleOf({fault, ...flags}).fault.kind === fault
    } catch {
      return false
    }
  })
  expect(taken.length).toBeGreaterThan(0)
})

test.each([
  ['delay', '--delay 5s keeps a call so long from the server'],
  ['blah', 'docs/faults.md says what each does'],
  ['error', undefined],
])('ruleOf() of --fault %s alone has a hint', (fault, hint) => {
  expect(() => ruleOf({fault})).toThrow(expect.objectContaining({hint}) as Error)
})
