import {expect, test} from 'vitest'
import {recordedCalls} from '../../../src/proxy/trace/recorded-calls.ts'
import {tracedCall} from '../../support/traced-calls.ts'

const lines = (...calls: readonly object[]) => calls.map((call) => `${JSON.stringify(call)}\n`).join('')

test('recordedCalls() has the calls as rules see them, in the order in which they came, each once', () => {
  const first = tracedCall({id: 1, at: 10, pod: 'default/p', pvc: 'default/data', request: {volumeId: 'vol-1'}})
  const second = tracedCall({id: 2, at: 20, service: 'runtime.v1.RuntimeService', method: 'StopContainer', container: 'main', podUid: 'u'})
  const update = {...first, update: true as const}
  expect(recordedCalls(lines(second, first, update), 'calls.jsonl')).toEqual([
    {
      at: 10,
      decoded: true,
      call: {
        to: 'csi',
        service: 'csi.v1.Node',
        method: 'NodeStageVolume',
        pod: 'default/p',
        pvc: 'default/data',
        request: {volumeId: 'vol-1'},
      },
    },
    {
      at: 20,
      decoded: true,
      call: {to: 'cri', service: 'runtime.v1.RuntimeService', method: 'StopContainer', container: 'main', podUid: 'u', request: {}},
    },
  ])
})

test.each(['nonsense', '{}', '[]', '{"id": "1"}'])('recordedCalls() says which line is none: %s', (line) => {
  expect(() => recordedCalls(`${lines(tracedCall())}${line}\n`, 'calls.jsonl')).toThrow(
    `Cannot read the recording as each line must be a call as JSON: it is '${line}' (calls.jsonl:2)`,
  )
})

test('recordedCalls() of a recording with a ledger leaves that out', () => {
  expect(recordedCalls(lines(tracedCall(), {kind: 'Ledger', spenders: []}), 'calls.jsonl')).toHaveLength(1)
})

test('recordedCalls() reads what `record` wrote: names from its messages, requests as rules see them, lines that are torn left out', () => {
  const service = 'runtime.v1.RuntimeService'
  const call = {socket: '/s', durationMs: 1, code: 'OK'}
  const text = lines(
    {apiVersion: 'kubelimbo/v1', kind: 'Recording', metadata: {node: 'n', when: '2026-11-30T03:00:00Z', tool: 't'}},
    {...call, at: 30, service, method: 'StopContainer', request: {containerId: 'c1', timeout: '30'}, responses: [{}]},
    {
      ...call,
      at: 10,
      service,
      method: 'RunPodSandbox',
      request: {config: {metadata: {name: 'web-0', namespace: 'default', uid: 'u'}}},
      responses: [{podSandboxId: 's1'}],
    },
    {
      ...call,
      at: 20,
      service,
      method: 'CreateContainer',
      request: {podSandboxId: 's1', config: {metadata: {name: 'app'}, envs: [{key: 'A', value: btoa('[redacted]')}]}},
      responses: [{containerId: 'c1'}],
    },
    {...call, at: 40, service: 'csi.v1.Node', method: 'NodeStageVolume', unkept: 'the request has more than 16 MiB'},
  )
  const calls = recordedCalls(`${text}{"socket":`, 'calls.jsonl')
  expect(calls.map(({at, decoded, call: {method, pod, container}}) => ({at, decoded, method, pod, container}))).toEqual([
    {at: 10, decoded: true, method: 'RunPodSandbox', pod: 'default/web-0', container: undefined},
    {at: 20, decoded: true, method: 'CreateContainer', pod: 'default/web-0', container: 'app'},
    {at: 30, decoded: true, method: 'StopContainer', pod: 'default/web-0', container: 'app'},
    {at: 40, decoded: false, method: 'NodeStageVolume', pod: undefined, container: undefined},
  ])
  expect(calls[2]?.call.request).toEqual({containerId: 'c1', timeout: 30})
})

test.each([[''], ['\n \n']])('recordedCalls() says of a file without a line that it is empty (%j)', (text) => {
  expect(() => recordedCalls(text, 'f')).toThrow('Cannot use f as it must have calls: it is empty')
})
