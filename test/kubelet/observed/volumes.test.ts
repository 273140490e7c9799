// NodeStageVolume and NodePublishVolume held, as real kubelets did with them: one run each was seen.
import {describe, expect, test} from 'vitest'
import {loseReply} from '../../../src/faults/lose-reply.ts'
import type {Rule} from '../../../src/faults/rule.ts'
import {csiCalls, goneAfter, left, type Played, playVolume, remove} from '../../support/volume-lab.ts'

/** The driver does it; its answer never arrives. */
const held = (method: string): Rule => ({name: 'held', match: {to: 'csi', method}, fault: loseReply()})

const seeds = [1, 2, 3, 4, 5, 6, 7, 8]

type Call = readonly [method: string, outcome: string, began: number, ended: number]

/** Seconds after the first call began. */
function calls(played: Played): Call[] {
  const all = csiCalls(played)
  const first = all[0]?.at ?? 0
  return all.map(({method, outcome = 'open', at, endedAt = Number.NaN}) => [
    method.replace(/^Node|Volume$/g, ''),
    outcome,
    (at - first) / 1000,
    (endedAt - first) / 1000,
  ])
}

/** @param within seconds that the model may be off */
function expectCalls(actual: Call[], expected: readonly Call[], within: number): void {
  expect(actual.map(([method, outcome]) => `${method} ${outcome}`)).toEqual(expected.map(([method, outcome]) => `${method} ${outcome}`))
  for (const [index, [, , began, ended]] of expected.entries()) {
    expect(Math.abs((actual[index]?.[2] ?? 0) - began)).toBeLessThan(within)
    expect(Math.abs((actual[index]?.[3] ?? 0) - ended)).toBeLessThan(within)
  }
}

describe.each(seeds)('seed %d', (seed) => {
  test.each([
    ['1.17.3', [['Stage', 'DEADLINE_EXCEEDED', 0, 120]], ['volumeDevices/pv1/data/vol_data.json', 'volumeDevices/staging/pv1']],
    [
      '1.18.2',
      [
        ['Stage', 'DEADLINE_EXCEEDED', 0, 120],
        ['Unstage', 'OK', 120.075, 120.075],
      ],
      ['volumeDevices/staging'],
    ],
  ] as const)('a raw block volume whose stage is held, its pod deleted 8 s after creation: %s', async (profile, expected, disk) => {
    const played = await playVolume({profile, mode: 'Block', rules: [held('NodeStageVolume')], steps: [remove(8000)], until: 175_000, seed})
    expectCalls(calls(played), expected, 0.2)
    // The object was gone within 8 s of the delete.
    expect(goneAfter(played)).toBeLessThan(16)
    expect(left(played).filter((path) => path.startsWith('volumeDevices'))).toEqual(disk)
  })

  test('a raw block volume whose publish is held, its pod deleted 12 s after creation: 1.26.5', async () => {
    const rules = [held('NodePublishVolume')]
    const played = await playVolume({profile: '1.26.5', mode: 'Block', rules, steps: [remove(12_000)], until: 300_000, seed})
    expectCalls(
      calls(played),
      [
        ['Stage', 'OK', 0, 0.003],
        ['Publish', 'DEADLINE_EXCEEDED', 0.003, 120],
        ['Publish', 'DEADLINE_EXCEEDED', 120.6, 240.6],
        ['Unpublish', 'OK', 240.64, 240.64],
        ['Unstage', 'OK', 240.74, 240.74],
      ],
      0.2,
    )
    // Terminating to the end.
    expect(goneAfter(played)).toBeGreaterThan(240)
  })

  test('a filesystem volume whose stage is held for 110 s, its pod deleted 10 s after creation: 1.26.5', async () => {
    const rules = [held('NodeStageVolume')]
    const lift = [110_000, ({faults}: Played['node']) => faults.remove('held')] as const
    const played = await playVolume({profile: '1.26.5', rules, steps: [remove(10_000), lift], until: 200_000, seed})
    const [first, again, publish, unpublish, unstage, ...more] = calls(played)
    expect([first, again, publish, unpublish, unstage, ...more].map((call) => call?.slice(0, 2).join(' '))).toEqual([
      'Stage DEADLINE_EXCEEDED',
      'Stage OK',
      'Publish OK',
      'Unpublish OK',
      'Unstage OK',
    ])
    expect(Math.abs((first?.[3] ?? 0) - 120)).toBeLessThan(0.2)
    // 'About 4 s later': sandbox, container and kill are as fast as the runtime.
    expect((unpublish?.[2] ?? 0) - (publish?.[3] ?? 0)).toBeGreaterThan(1)
    expect((unpublish?.[2] ?? 0) - (publish?.[3] ?? 0)).toBeLessThan(6)
  })
})
