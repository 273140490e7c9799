import {expect, test} from 'vitest'
import {timeline} from '../../src/timeline/timeline.ts'

test('timeline() has events in the order in which they began, with their moment, and counts calls', () => {
  let now = 5
  const record = timeline(() => now)
  record.step({text: 'create default/a'})
  const first = record.call({to: 'cri', method: 'RunPodSandbox', pod: 'default/a', request: {}})
  now = 7
  record.log({text: 'SyncLoop ADD'})
  record.belief({volume: 'pv1', uniqueName: 'd^h1', state: 'DeviceMountUncertain'})
  record.container({what: 'started', pod: 'default/a', uid: 'u', id: 's'})
  record.object({type: 'ADDED', pod: 'default/a', uid: 'u', object: {}})
  record.call({to: 'api', method: 'GET pod', request: {}})
  now = 9
  first.outcome = 'OK'
  first.endedAt = now
  expect(record.events).toEqual([
    {kind: 'step', at: 5, text: 'create default/a'},
    {kind: 'call', at: 5, id: 1, to: 'cri', method: 'RunPodSandbox', pod: 'default/a', request: {}, outcome: 'OK', endedAt: 9},
    {kind: 'log', at: 7, text: 'SyncLoop ADD'},
    {kind: 'belief', at: 7, volume: 'pv1', uniqueName: 'd^h1', state: 'DeviceMountUncertain'},
    {kind: 'container', at: 7, what: 'started', pod: 'default/a', uid: 'u', id: 's'},
    {kind: 'object', at: 7, type: 'ADDED', pod: 'default/a', uid: 'u', object: {}},
    {kind: 'call', at: 7, id: 2, to: 'api', method: 'GET pod', request: {}},
  ])
})
