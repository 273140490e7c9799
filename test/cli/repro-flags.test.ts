import {expect, test} from 'vitest'
import {reproRequest} from '../../src/cli/repro-flags.ts'

const {signal} = new AbortController()
const none = {sockets: false, verbose: false}

test('reproRequest() has parts that are real, in real time unless somebody says otherwise', () => {
  const {real} = reproRequest({...none, 'runtime-endpoint': 'unix:///run/x.sock'}, [], 'kubelimbo 1', signal)
  expect(real).toMatchObject({runtimeEndpoint: 'unix:///run/x.sock', scale: 1, signal})
  expect(real).not.toHaveProperty('image')
  const more = reproRequest({...none, 'runtime-endpoint': 'unix:///run/x.sock', image: 'busybox', scale: 5}, [], 'kubelimbo 1', signal)
  expect(more.real).toMatchObject({image: 'busybox', scale: 5})
})

test('reproRequest() gives the pods of each run uids of their own', () => {
  const uids = () => reproRequest({...none, 'runtime-endpoint': 'unix:///run/x.sock'}, [], 'kubelimbo 1', signal).real?.uids.roll(2 ** 31)
  expect(uids()).not.toBe(uids())
})

test('reproRequest() has no scale where time is simulated', () => {
  expect(reproRequest(none, [], 'kubelimbo 1', signal)).not.toHaveProperty('real')
  expect(() => reproRequest({...none, scale: 2}, [], 'kubelimbo 1', signal)).toThrow('Cannot use --scale as some part must be real')
})
