import {afterAll, beforeAll, expect, test} from 'vitest'
import {type HealthyNode, startHealthyNode} from '../../support/healthy-node.ts'
import {kubelimbo} from '../../support/kubelimbo.ts'
import {timestamp} from '../../support/stand-in-kubelet-pods.ts'

let node: HealthyNode

beforeAll(async () => {
  node = await startHealthyNode()
})
afterAll(() => node[Symbol.asyncDispose]())

test('check of a healthy node sees everything and finds nothing', async () => {
  const {stdout, stderr, exitCode} = await kubelimbo(['check', ...node.flags, '-o', 'json'], node.env)
  const report = JSON.parse(stdout)
  expect(report).toMatchObject({unseen: [], findings: [], partial: false, metadata: {node: 'n1'}})
  expect(report.looked).toEqual(expect.arrayContaining(['V01', 'V02', 'V04', 'V06', 'V11', 'C01', 'C02', 'C03', 'U01', 'U02']))
  expect(stderr).toBe('')
  expect(exitCode).toBe(0)
})

test('check of a healthy node finds nothing when an hour has passed', async () => {
  const inAnHour = timestamp(Date.now() + 3_600_000)
  const {stdout} = await kubelimbo(['check', ...node.flags, '--now', inAnHour, '-o', 'json'], node.env)
  expect(JSON.parse(stdout)).toMatchObject({unseen: [], findings: []})
})

test('check of a healthy node finds nothing after a pod was deleted, and after its volume went to another', async () => {
  await node.kubelet.deletePod(node.inline.uid)
  const after = await kubelimbo(['check', ...node.flags, '-o', 'json'], node.env)
  expect(JSON.parse(after.stdout)).toMatchObject({unseen: [], findings: []})
  await node.kubelet.runPod({name: 'inline-1', volume: {kind: 'inline', driver: node.driver.name}})
  const again = await kubelimbo(['check', ...node.flags, '-o', 'json'], node.env)
  expect(JSON.parse(again.stdout)).toMatchObject({unseen: [], findings: []})
})
