// k8s#134750: a node of jobs has thousands of containers that have ended, and is healthy.
import {test} from 'vitest'
import {ContainerState} from '../../src/wire/gen/cri_pb.ts'
import {expectSilent} from '../support/examined/expect.ts'
import {healthy} from '../support/examined/healthy.ts'
import {ago, hour} from '../support/examined/node.ts'
import {addContainer, addSandbox, nanos} from '../support/examined/runtime.ts'

test('check of 18 500 ended containers of pods that have ended is silent', () => {
  const node = healthy((each) => {
    for (let at = 0; at < 18_500; at++) {
      const uid = `66666666-6666-4666-8666-${at.toString(16).padStart(12, '0')}`
      const id = `c-${uid}`
      const end = {exitCode: 0, reason: 'Completed', startedAt: ago(2 * hour), finishedAt: ago(hour), containerId: id, terminatedId: id}
      each.pod(`job-${at}`, uid, [], {phase: 'Succeeded', containers: [{name: 'app', kind: 'regular', state: 'terminated', ...end}]})
      addSandbox(each, {uid, id: `s-${uid}`, name: `job-${at}`, created: 2 * hour})
      addContainer(each, {uid, id, podName: `job-${at}`, created: 2 * hour, state: ContainerState.CONTAINER_EXITED})
      each.containerStatuses.set(id, {finishedAt: nanos(hour)})
    }
  })
  expectSilent(node)
})
