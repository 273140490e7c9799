import {expect, test} from 'vitest'
import type {ContainerState, RestartPolicy} from '../../../src/kubelet/pod.ts'
import {checkContainerStateTransition} from '../../../src/kubelet/status/container-transition.ts'
import {aStatus, exited, running, statusOf, waiting} from '../../support/model-pods.ts'

const policies: readonly RestartPolicy[] = ['Always', 'OnFailure', 'Never']

test.each<readonly [what: string, old: ContainerState, next: ContainerState, refused: readonly boolean[]]>([
  ['from running to waiting', running, waiting(), [false, false, false]],
  ['from exit code 0 to waiting', exited(0), waiting(), [false, true, true]],
  ['from exit code 0 to running', exited(0), running, [false, true, true]],
  ['from exit code 1 to waiting', exited(1), waiting(), [false, false, true]],
  // The hole by which a failure became a success.
  ['from exit code 1 to 0', exited(1), exited(0), [false, false, false]],
])('checkContainerStateTransition() of a step %s', (_what, old, next, refused) => {
  const said = (which: 'containerStatuses' | 'initContainerStatuses') =>
    policies.map((restartPolicy) => {
      const of = (state: ContainerState) => aStatus({[which]: [statusOf('b', running), statusOf('c', state)]})
      return checkContainerStateTransition(of(old), of(next), restartPolicy)
    })
  const text = 'terminated container c attempted illegal transition to non-terminated state'
  const expected = refused.map((each) => (each ? text : undefined))
  expect(said('containerStatuses')).toEqual(expected)
  expect(said('initContainerStatuses')).toEqual(expected)
})

test('checkContainerStateTransition() does not miss a container that is not there any more', () => {
  const old = aStatus({containerStatuses: [statusOf('c', exited(0))]})
  expect(checkContainerStateTransition(old, aStatus(), 'Never')).toBeUndefined()
})
