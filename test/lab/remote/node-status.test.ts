import {expect, onTestFinished, test} from 'vitest'
import {syncNodeStatus} from '../../../src/lab/remote/node-status.ts'
import {restClient} from '../../../src/lab/remote/rest-client.ts'
import {startApiLab} from '../../support/api-lab.ts'
import {manualClock} from '../../support/manual-clock.ts'
import {until} from '../../support/until.ts'

interface NodeDocument {
  readonly metadata: {readonly resourceVersion: string}
  readonly status: {readonly volumesInUse?: readonly string[]; readonly volumesAttached?: readonly object[]}
}

test('syncNodeStatus() tells which volumes are in use, when that has changed, and they count as attached', async () => {
  await using lab = await startApiLab({kubelet: false})
  using client = restClient({url: lab.endpoint.url, token: lab.tokens.kubelet})
  const clock = manualClock()
  const end = new AbortController()
  onTestFinished(() => end.abort())
  let volumes: readonly string[] = ['a', 'b']
  const running = syncNodeStatus({client, clock, nodeName: 'lab', volumesInUse: () => volumes, signal: end.signal})
  const node = async () => (await client.call({method: 'GET', path: '/api/v1/nodes/lab'})) as NodeDocument
  const told = (names: readonly string[]) =>
    until(async () => {
      await clock.advance(0)
      const {status} = await node()
      expect(status.volumesInUse).toEqual(names)
      expect(status.volumesAttached).toEqual(names.map((name) => ({name, devicePath: ''})))
      // It has heard the answer.
      expect(clock.sleepers()).toHaveLength(1)
    })
  await told(['a', 'b'])
  const {resourceVersion} = (await node()).metadata
  await clock.advance(10_000)
  expect((await node()).metadata.resourceVersion).toBe(resourceVersion)
  volumes = ['b']
  await clock.advance(10_000)
  await told(['b'])
  end.abort()
  await running
})
