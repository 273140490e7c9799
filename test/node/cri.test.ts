import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {systemClock} from '../../src/base/clock.ts'
import {liveLists} from '../../src/node/cri.ts'
import {openCri} from '../../src/wire/cri-client.ts'
import {fullContainer, fullSandbox} from '../support/cri-messages.ts'
import {type FakeRuntimeOptions, fakeRuntime} from '../support/fake-runtime.ts'
import {tempDir} from '../support/socket-dir.ts'

async function readFrom(options: Omit<FakeRuntimeOptions, 'path'>, deadlineMs?: number) {
  await using runtime = await fakeRuntime({path: join(tempDir(), 's'), ...options})
  await using client = await openCri({path: runtime.path, clock: systemClock, connectTimeoutMs: 5000, callTimeoutMs: 5000})
  const lists = liveLists(client, {clock: systemClock, ...(deadlineMs !== undefined && {deadlineMs})})
  const [sandboxes, containers] = await Promise.all([lists.sandboxes(), lists.containers()])
  const readings = {'runtime.sandboxes': sandboxes, 'runtime.containers': containers}
  return {readings}
}

describe('liveLists()', () => {
  test('reads both lists with every field', async () => {
    const {readings} = await readFrom({sandboxes: [fullSandbox], containers: [fullContainer]})
    expect(readings['runtime.sandboxes']).toMatchObject({state: 'read', value: [fullSandbox]})
    expect(readings['runtime.containers']).toMatchObject({state: 'read', value: [fullContainer]})
  })

  test('makes a list that does not come a failed reading, with how long it took', async () => {
    const {readings} = await readFrom({hangs: 'lists'}, 100)
    expect(readings['runtime.sandboxes']).toEqual({
      state: 'failed',
      why: expect.stringMatching(/^it has not answered ListPodSandbox for \d+ms$/),
      tookMs: expect.any(Number),
    })
  })

  test('marks a list incomplete whose stream broke', async () => {
    const {readings} = await readFrom({streams: 'breaks', sandboxes: [{id: 'a'}, {id: 'b'}]})
    expect(readings['runtime.sandboxes']).toMatchObject({
      state: 'read',
      value: [{id: 'a'}],
      incomplete: expect.stringContaining('the runtime went away'),
    })
    expect(readings['runtime.containers']).toEqual({state: 'read', value: []})
  })

  test('ends with the reason of its signal', async () => {
    await using runtime = await fakeRuntime({path: join(tempDir(), 's'), hangs: 'lists'})
    await using client = await openCri({path: runtime.path, clock: systemClock, connectTimeoutMs: 5000, callTimeoutMs: 5000})
    const reason = new Error('enough')
    await expect(liveLists(client, {clock: systemClock, signal: AbortSignal.abort(reason)}).sandboxes()).rejects.toBe(reason)
  })
})
