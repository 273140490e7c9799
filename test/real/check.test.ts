import {afterAll, beforeAll, expect, test} from 'vitest'
import {type Containerd, startContainerd} from '../support/containerd.ts'
import {kubelimbo} from '../support/kubelimbo.ts'

let rig: Containerd

beforeAll(async () => {
  rig = await startContainerd('debian')
})
afterAll(() => rig[Symbol.asyncDispose]())

test('check of a live node reads the runtime, finds nothing, and says what it did not see', async () => {
  const {stdout, exitCode} = await kubelimbo(['check', '-r', rig.endpoint, '-o', 'json'])
  const report = JSON.parse(stdout)
  expect(report).toMatchObject({partial: true, findings: []})
  expect(report.looked).not.toContain('U01')
  const unseen = report.unseen.map(({source}: {source: string}) => source)
  expect(unseen).toContain('kubelet.pods')
  expect(unseen).not.toContain('runtime.sandboxes')
  expect(unseen).not.toContain('runtime.containers')
  // Most was not looked for: that is not health.
  expect(exitCode).toBe(3)
})

test('check of a runtime that is stopped ends within its deadline and says who did not answer', async () => {
  process.kill(rig.pid, 'SIGSTOP')
  try {
    const {stdout, exitCode} = await kubelimbo(['check', '-r', rig.endpoint, '--deadline', '3s', '-o', 'json'])
    expect(exitCode).toBe(3)
    const {unseen} = JSON.parse(stdout)
    expect(unseen).toContainEqual({source: 'runtime.sandboxes', why: expect.stringMatching(/answer|said nothing/)})
  } finally {
    process.kill(rig.pid, 'SIGCONT')
  }
})
