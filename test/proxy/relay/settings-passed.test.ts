import {expect, test} from 'vitest'
import type {SettingsFrame} from '../../../src/http2/frame.ts'
import {SettingsPassed} from '../../../src/proxy/relay/settings-passed.ts'

const frame = (...values: [number, number][]): SettingsFrame => ({type: 'SETTINGS', ack: false, values})

test('SettingsPassed holds in force what was acknowledged, and allows the larger of all frames that may come', () => {
  const said = new SettingsPassed()
  expect([said.came, said.acknowledge()]).toEqual([false, undefined])
  said.add(frame([5, 30_000], [4, 7]))
  said.add(frame([5, 20_000]))
  expect([said.came, said.inForce.maxFrameSize, said.latest.maxFrameSize, said.largestFrame]).toEqual([true, 16_384, 20_000, 30_000])
  expect(said.acknowledge()).toMatchObject({before: {initialWindowSize: 65_535}, after: {initialWindowSize: 7, maxFrameSize: 30_000}})
  expect(said.largestFrame).toBe(30_000)
  said.acknowledge()
  expect([said.largestFrame, said.inForce, said.acknowledge()]).toEqual([20_000, said.latest, undefined])
})

test('SettingsPassed takes no value that is wrong', () => {
  const said = new SettingsPassed()
  expect(said.add(frame([2, 2]))).toMatchObject({scope: 'connection'})
  expect(said.came).toBe(false)
})

test('SettingsPassed waits for acknowledgements of so many and no more', () => {
  const said = new SettingsPassed()
  const faults = Array.from({length: 1001}, () => said.add(frame([4, 1]))).map((fault) => fault?.scope)
  expect(new Set(faults.slice(0, 1000))).toEqual(new Set([undefined]))
  expect(faults.at(-1)).toBe('connection')
})
