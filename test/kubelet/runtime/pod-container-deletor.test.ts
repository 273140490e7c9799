import {expect, test} from 'vitest'
import {seeded} from '../../../src/base/dice.ts'
import {getContainersToDeleteInPod, startPodContainerDeletor} from '../../../src/kubelet/runtime/pod-container-deletor.ts'
import type {RemoteRuntime} from '../../../src/kubelet/runtime/remote-runtime.ts'
import {inRuntime, runtimePod} from '../../support/model-pods.ts'

const ended = (name: string, createdAt: number) => inRuntime(name, 'EXITED', {id: `${name}${createdAt}`, createdAt})
const status = runtimePod(
  inRuntime('a', 'RUNNING', {id: 'a3', createdAt: 3}),
  ended('a', 2),
  ended('a', 1),
  ended('b', 1),
  inRuntime('b', 'CREATED', {id: 'b2'}),
)

test.each([
  ['keeps the newest that ended of the name', 'a1', 1, ['a1']],
  ['keeps the only one', 'b1', 1, []],
  ['takes all that ended when none is kept', '', 0, ['a2', 'a1', 'b1']],
  ['takes nothing for a container that is not there any more', 'gone', 1, []],
] as const)('getContainersToDeleteInPod() %s', (_, exited, keep, expected) => {
  expect(getContainersToDeleteInPod(exited, status, keep).map(({id}) => id)).toEqual(expected)
})

/** The runtime takes for ever to remove the first one. */
function deletor() {
  const asked: unknown[] = []
  const logs: string[] = []
  const runtime = ((_: string, request: object) => {
    asked.push(request)
    return new Promise(() => {})
  }) as RemoteRuntime
  const stop = new AbortController()
  const started = startPodContainerDeletor({runtime, dice: seeded(1), log: ({text}) => logs.push(text), signal: stop.signal})
  return {...started, asked, logs}
}

test('deleteContainersInPod() removes one after the other and drops what does not fit into its buffer of 50', async () => {
  const {deleteContainersInPod, asked, logs} = deletor()
  const many = runtimePod(...Array.from({length: 60}, (_, index) => ended('a', index)))
  deleteContainersInPod('', many, true)
  for (let turn = 0; turn < 10; turn++) await Promise.resolve()
  expect(asked).toEqual([{containerId: 'a59'}])
  expect(logs).toEqual(Array.from({length: 10}, () => 'Failed to issue the request to remove container'))
})
