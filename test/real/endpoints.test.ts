import {afterAll, beforeAll, expect, test} from 'vitest'
import {type Containerd, startContainerd} from '../support/containerd.ts'
import {printed} from '../support/kubelimbo.ts'

let rig: Containerd
beforeAll(async () => {
  rig = await startContainerd()
})
afterAll(() => rig?.[Symbol.asyncDispose]())

test('endpoints uses the containerd that -r names, and knows its version as crictl does', async () => {
  const version = /^RuntimeVersion: +(.*)$/m.exec(await rig.crictl('version'))?.[1]
  const report = JSON.parse(await printed(['endpoints', '-r', rig.endpoint, '-o', 'json']))
  expect(report.chosen).toBe(rig.endpoint)
  expect(report.items[0]).toMatchObject({state: 'used', runtime: {name: 'containerd', version, api: 'v1'}})
})

test('endpoints uses the containerd that CONTAINER_RUNTIME_ENDPOINT names', async () => {
  const report = JSON.parse(await printed(['endpoints', '-o', 'json'], {CONTAINER_RUNTIME_ENDPOINT: rig.endpoint}))
  expect(report.chosen).toBe(rig.endpoint)
})

test('pods gives up on a containerd that takes connections and answers nothing', async () => {
  process.kill(rig.pid, 'SIGSTOP')
  try {
    await expect(printed(['pods', '-r', rig.endpoint, '-t', '1s'])).rejects.toMatchObject({exitCode: 3, stdout: ''})
  } finally {
    process.kill(rig.pid, 'SIGCONT')
  }
  expect(await printed(['pods', '-q', '-r', rig.endpoint])).toBe('')
})

test('pods could not look when containerd was killed and left its socket behind', async () => {
  await using killed = await startContainerd()
  process.kill(killed.pid, 'SIGKILL')
  await expect(printed(['pods', '-r', killed.endpoint])).rejects.toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining(killed.folder),
  })
})
