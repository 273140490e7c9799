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
