import {expect, test} from 'vitest'
import {podCache} from '../../../src/kubelet/pleg/pod-cache.ts'
import {podResources} from '../../../src/kubelet/status/pod-resources.ts'
import {aPod, aStatus, exited, inRuntime, running, runtimePod, statusOf, switched} from '../../support/model-pods.ts'

const over = aStatus({containerStatuses: [statusOf('c', exited(0))]})
const runs = aStatus({containerStatuses: [statusOf('c', running)]})
const initRuns = aStatus({initContainerStatuses: [statusOf('i', running)], containerStatuses: [statusOf('c', exited(0))]})
const dead = [inRuntime('c', 'EXITED')]

test.each([
  ['while its status says that a container runs', runs, [], false, false, [false, false]],
  ['while its status says that an init container runs, with dead-not-awaited', initRuns, [], false, false, [true, false]],
  ['while dead containers are in the runtime, before dead-not-awaited', over, dead, false, false, [false, true]],
  ['while its worker may run containers, with dead-not-awaited', over, [], true, false, [true, false]],
  ['while a volume of it is there', over, [], false, true, [false, false]],
  ['when nothing of it is left', over, [], false, false, [true, true]],
] as const)('podResourcesAreReclaimed() of a pod %s', (_, status, containers, couldRun, mounted, expected) => {
  const reclaimed = [false, true].map((on) => {
    const cache = podCache()
    cache.set('u1', {status: runtimePod(...containers)}, 1)
    const profile = switched('1.21.2', 'dead-not-awaited', on)
    const asked = {podVolumesExist: () => mounted, couldHaveRunningContainers: () => couldRun}
    return podResources({profile, cache, ports: {log: () => {}}, ...asked}).podResourcesAreReclaimed(aPod(), status)
  })
  expect(reclaimed).toEqual(expected)
})

test('podResourcesAreReclaimed() says no while the runtime cannot be read', () => {
  const cache = podCache()
  cache.set('u1', {error: new Error('no')}, 1)
  const asked = {podVolumesExist: () => false, couldHaveRunningContainers: () => false}
  const profile = switched('1.21.2', 'dead-not-awaited', false)
  expect(podResources({profile, cache, ports: {log: () => {}}, ...asked}).podResourcesAreReclaimed(aPod(), over)).toBe(false)
})
