import fc from 'fast-check'
import {expect, test} from 'vitest'
import {delay} from '../../../src/faults/delay.ts'
import {duplicate} from '../../../src/faults/duplicate.ts'
import {execThenError} from '../../../src/faults/exec-then-error.ts'
import {fail} from '../../../src/faults/fail.ts'
import {fakeSuccess} from '../../../src/faults/fake-success.ts'
import type {Fault} from '../../../src/faults/fault.ts'
import {hang} from '../../../src/faults/hang.ts'
import {hold} from '../../../src/faults/hold.ts'
import {loseReply} from '../../../src/faults/lose-reply.ts'
import {reorder} from '../../../src/faults/reorder.ts'
import type {ClientStream} from '../../../src/http2/client-connection.ts'
import {errorCodes} from '../../../src/http2/fault.ts'
import {NodeStageVolumeRequestSchema} from '../../../src/wire/gen/csi_pb.ts'
import {answerOf, answerWith, framed, messageOf, messagesIn, proxied, send} from '../../support/proxied-calls.ts'

const faults: Readonly<Record<string, Fault | undefined>> = {
  pass: undefined,
  delay: delay(700),
  hang: hang(),
  lose: loseReply(),
  hold: hold(400),
  fail: fail('INTERNAL'),
  fake: fakeSuccess(),
  error: execThenError('ABORTED'),
  twice: duplicate(),
  reorder: reorder(),
}
const rules = Object.entries(faults).flatMap(([name, fault]) => (fault ? [{name, match: {request: {volumeId: `${name}*`}}, fault}] : []))

const call = fc.record({
  kind: fc.constantFrom(...Object.keys(faults)),
  connection: fc.nat(2),
  at: fc.nat(1000),
  /** When its client gives up. */
  leaves: fc.option(fc.integer({min: 1, max: 1500}), {nil: undefined}),
  size: fc.constantFrom(0, 10, 100_000),
})

test('calls of many kinds at once: each has one event, what the server got is what was sent, and nothing stays open', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(call, {minLength: 1, maxLength: 25}), fc.integer({min: 0, max: 300}), async (calls, serverMs) => {
      const lab = proxied({
        rules,
        serve: async (seen, clock) => {
          await clock.sleep(serverMs)
          await answerWith(seen, framed(new Uint8Array(seen.body.length))).catch(() => undefined)
        },
      })
      const clients = [lab.connect(), lab.connect(), lab.connect()]
      const outcomes = new Map<string, string>()
      const one = async ({kind, connection, at, leaves, size}: (typeof calls)[number], index: number) => {
        await lab.clock.sleep(at)
        const volumeId = `${kind}-${index}-${'x'.repeat(size)}`
        const client = clients[connection]
        if (client === undefined) return
        const stream: ClientStream = await send(client, '/csi.v1.Node/NodeStageVolume', {
          body: messageOf(NodeStageVolumeRequestSchema, {volumeId}),
        })
        if (leaves !== undefined) void lab.clock.sleep(leaves).then(() => stream.reset(errorCodes.CANCEL))
        outcomes.set(
          volumeId,
          await answerOf(stream).then(
            () => 'answered',
            () => 'left',
          ),
        )
      }
      const all = calls.map(one)
      await lab.run(5000)
      // Who never gives up and is never answered: the connection ends.
      for (const client of clients) client.destroy()
      await lab.run(10_000)
      await Promise.all(all)

      expect(lab.underWay).toEqual({clients: 0, server: 0})
      const first = lab.calls.filter(({update}) => update === undefined)
      expect(first.map(({id}) => id).toSorted((a, b) => a - b)).toEqual(calls.map((_, index) => index + 1))
      const updated = lab.calls.filter(({update}) => update).map(({id}) => id)
      expect(new Set(updated).size).toBe(updated.length)
      for (const {volume = '', code} of first) {
        const answered = ['OK', 'INTERNAL', 'ABORTED'].includes(code)
        if (volume.length < 1000) expect(outcomes.get(volume)).toBe(answered ? 'answered' : 'left')
      }
      const sent = new Set(outcomes.keys())
      for (const {body, stream, reset} of lab.seen) {
        expect(stream.state).toBe('closed')
        if (reset !== undefined && body.length === 0) continue
        const [message] = messagesIn(NodeStageVolumeRequestSchema, body)
        expect(sent.has(message?.volumeId ?? '')).toBe(true)
        if (/^(?:lose|hold|error)/.test(message?.volumeId ?? '')) expect(reset).toBeUndefined()
        expect(message?.volumeId).not.toMatch(/^(?:hang|fail|fake)/)
      }
    }),
    {numRuns: 40},
  )
})
