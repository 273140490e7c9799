import {expect, test} from 'vitest'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import {startLabNode} from '../../../src/lab/lab-node.ts'
import {exploreHistories} from '../../../src/scenario/explore/explore-histories.ts'

const stoppedAfter = async (nodes: number) => {
  const controller = new AbortController()
  let started = 0
  return await exploreHistories({
    profile: profileOf('1.17.3'),
    seed: 1,
    startNode: (options) => {
      started++
      if (started === nodes) controller.abort(new Error('enough'))
      return startLabNode(options)
    },
    goesOn: () => true,
    signal: controller.signal,
  })
}

test('exploreHistories() that is stopped at its first history has found nothing, and tells what it was looking at', async () => {
  const {histories, findings, cut} = await stoppedAfter(1)
  expect([histories, findings]).toEqual([0, []])
  expect(cut).toMatchObject({seed: 1, violations: [{invariant: 'success-made-up', how: 'and it never ran'}]})
})

test('exploreHistories() that is stopped later has what it found before', async () => {
  const {histories, findings} = await stoppedAfter(200)
  expect(histories).toBeGreaterThan(0)
  expect(findings.map(({violation}) => violation.invariant)).toContain('success-made-up')
})

test('exploreHistories() that is stopped before it began has played none', async () => {
  const found = await exploreHistories({
    profile: profileOf('1.17.3'),
    seed: 1,
    startNode: startLabNode,
    goesOn: () => true,
    signal: AbortSignal.abort(),
  })
  expect(found).toEqual({histories: 0, findings: []})
})
