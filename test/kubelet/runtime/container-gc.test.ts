import {expect, test} from 'vitest'
import type {CriContainer, CriSandbox} from '../../../src/kubelet/cri.ts'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import {containerGc} from '../../../src/kubelet/runtime/container-gc.ts'
import {containerKiller} from '../../../src/kubelet/runtime/kill-container.ts'
import type {RemoteRuntime} from '../../../src/kubelet/runtime/remote-runtime.ts'
import {inRuntime} from '../../support/model-pods.ts'
import {sandboxOf} from '../../support/model-sandboxes.ts'

interface Node {
  readonly containers?: readonly CriContainer[]
  readonly sandboxes?: readonly CriSandbox[]
  readonly contentMayGo?: boolean
  readonly allSourcesReady?: boolean
}

/** What one round asks of the runtime, besides its lists. */
async function collected({containers = [], sandboxes = [], contentMayGo = false, allSourcesReady = true}: Node): Promise<string[]> {
  const asked: string[] = []
  const runtime = (async (method: string, request: object) => {
    if (method === 'ListContainers') return containers
    if (method === 'ListPodSandbox') return sandboxes
    asked.push(`${method} ${Object.values(request)[0]}`)
    return {}
  }) as RemoteRuntime
  const {signal} = new AbortController()
  const killer = containerKiller(profileOf('1.36.2'), runtime, () => {}, signal)
  await containerGc({runtime, killer, contentMayGo: () => contentMayGo, signal}).garbageCollect(allSourcesReady)
  return asked
}

const dead = (id: string, createdAt: number, state: 'EXITED' | 'CREATED' | 'UNKNOWN' = 'EXITED') => inRuntime('c', state, {id, createdAt})
const containers = [inRuntime('c', 'RUNNING', {id: 'runs'}), dead('old', 1), dead('older', 0), dead('new', 2, 'CREATED')]

test('garbageCollect() keeps the newest dead container of each name, and takes the oldest first', async () => {
  expect(await collected({containers})).toEqual(['RemoveContainer older', 'RemoveContainer old'])
})

test('garbageCollect() takes all of a pod that is gone, also what never started', async () => {
  expect(await collected({containers, contentMayGo: true})).toEqual(['RemoveContainer older', 'RemoveContainer old', 'RemoveContainer new'])
})

test('garbageCollect() takes no pod for gone before the API server has said which there are', async () => {
  expect(await collected({containers: [dead('new', 2)], contentMayGo: true, allSourcesReady: false})).toEqual([])
})

test('garbageCollect() stops what may run before it removes it', async () => {
  expect(await collected({containers: [dead('lost', 0, 'UNKNOWN')], contentMayGo: true})).toEqual([
    'StopContainer lost',
    'RemoveContainer lost',
  ])
})

test.each([
  ['keeps the newest sandbox of a pod', {contentMayGo: false}, ['old']],
  ['takes all sandboxes of a pod that is gone', {contentMayGo: true}, ['old', 'new']],
  ['keeps a sandbox with containers', {contentMayGo: true, containers: [{...dead('c', 0), podSandboxId: 'old'}]}, ['new']],
])('garbageCollect() %s', async (_, more, expected) => {
  const sandboxes = [sandboxOf('new', {attempt: 1, state: 'NOTREADY'}), sandboxOf('old', {state: 'NOTREADY'})]
  const asked = (await collected({sandboxes, ...more, allSourcesReady: false})).filter((each) => each.includes('Sandbox'))
  expect(asked).toEqual(expected.flatMap((id) => [`StopPodSandbox ${id}`, `RemovePodSandbox ${id}`]))
})

test('garbageCollect() keeps a sandbox that is ready', async () => {
  expect(await collected({sandboxes: [sandboxOf('s1')], contentMayGo: true})).toEqual([])
})
