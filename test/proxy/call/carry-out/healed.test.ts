// What becomes of calls that a rule holds when all faults are over.
import {expect, test} from 'vitest'
import {delay} from '../../../../src/faults/delay.ts'
import type {Fault} from '../../../../src/faults/fault.ts'
import {faultOf} from '../../../../src/faults/faults.ts'
import {hang} from '../../../../src/faults/hang.ts'
import {NodeStageVolumeRequestSchema, NodeStageVolumeResponseSchema} from '../../../../src/wire/gen/csi_pb.ts'
import {answerOf, answerWith, messageOf, proxied, send, statusOf} from '../../../support/proxied-calls.ts'

const path = '/csi.v1.Node/NodeStageVolume'
const body = messageOf(NodeStageVolumeRequestSchema, {volumeId: 'v1', stagingTargetPath: '/s'})
const staged = messageOf(NodeStageVolumeResponseSchema, {})

async function healed(fault: Fault) {
  const lab = proxied({rules: [{name: 'r', match: {method: 'NodeStageVolume'}, fault}], serve: (call) => answerWith(call, staged)})
  const stream = await send(lab.connect(), path, {body})
  await lab.run(1000)
  expect(lab.calls).toEqual([])
  const seen = lab.seen.length
  lab.heal()
  await lab.run(1001)
  return {lab, seen, status: statusOf(await answerOf(stream))}
}

test.each([
  ['hang, of which the server never hears', hang(), 0],
  ['hang-after-exec', faultOf('hang-after-exec', {}), 1],
])('%s fails with UNAVAILABLE', async (_, fault, heard) => {
  const {lab, seen, status} = await healed(fault)
  expect(status).toEqual({code: 14, message: 'the fault is over'})
  expect([seen, lab.seen.length]).toEqual([heard, heard])
  expect(lab.calls[0]).toMatchObject({code: 'UNAVAILABLE', rule: 'r', durationMs: 1000})
})

test.each([
  ['before the server has it', delay(60_000), 0],
  ['after it has answered', delay(0, 60_000), 1],
  ['by its pace', faultOf('throttle', {bytesPerSecond: 1}), 1],
])('a call that is delayed %s goes on at once', async (_, fault, heard) => {
  const {lab, seen, status} = await healed(fault)
  expect([status, seen, lab.seen.length]).toEqual([{code: 0, message: ''}, heard, 1])
  expect(lab.calls[0]).toMatchObject({code: 'OK', durationMs: 1000})
})

test('a call that comes when the faults are over passes', async () => {
  const {lab} = await healed(hang())
  const stream = await send(lab.connect(), path, {body})
  await lab.run(1002)
  expect(statusOf(await answerOf(stream)).code).toBe(0)
})
