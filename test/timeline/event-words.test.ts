import {expect, test} from 'vitest'
import type {CallEvent} from '../../src/timeline/event.ts'
import {eventWords} from '../../src/timeline/event-words.ts'

const call = (request: CallEvent['request']): CallEvent => ({kind: 'call', at: 0, id: 1, to: 'csi', method: 'NodeStageVolume', request})

test.for([
  ['vol-data', 'vol-data'],
  ['kubelimbo-0b7f1a52-8e09-4f0e-9d3a-5c3f5a1f7c11', 'kubelimbo-<uid>'],
  ['0b7f1a52-8e09-4f0e-9d3a-5c3f5a1f7c11', '<uid>'],
] as const)('eventWords() has of the handle %s what is the same in every run: %s', ([volume, words]) => {
  expect(eventWords(call({driver: 'csi.example.com', volume, stagingTargetPath: '/x'}))).toBe(
    `csi: NodeStageVolume {driver csi.example.com, volume ${words}}`,
  )
})
