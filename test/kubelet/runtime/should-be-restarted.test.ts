import {expect, test} from 'vitest'
import type {CriContainerState} from '../../../src/kubelet/cri.ts'
import type {RestartPolicy} from '../../../src/kubelet/pod.ts'
import {shouldContainerBeRestarted} from '../../../src/kubelet/runtime/should-be-restarted.ts'
import {aPod, containerNamed, deleted, inRuntime, runtimePod, switched} from '../../support/model-pods.ts'

const policies: readonly RestartPolicy[] = ['Always', 'OnFailure', 'Never']

test.each<readonly [state: CriContainerState | undefined, exitCode: number, always: boolean, onFailure: boolean, never: boolean]>([
  [undefined, 0, true, true, true],
  ['RUNNING', 0, false, false, false],
  ['UNKNOWN', 0, true, true, true],
  ['CREATED', 0, true, true, true],
  ['EXITED', 0, true, false, false],
  ['EXITED', 1, true, true, false],
])('shouldContainerBeRestarted() of a container in state %s with exit code %i', (state, exitCode, ...expected) => {
  const podStatus = state ? runtimePod(inRuntime('c', state, {exitCode})) : runtimePod()
  const answers = (deletedIgnoresReasons: boolean, gone: boolean) =>
    policies.map((restartPolicy) => {
      const pod = aPod({spec: {restartPolicy}})
      const profile = switched('1.17.3', 'deleted-ignores-reasons', deletedIgnoresReasons)
      return shouldContainerBeRestarted(profile, containerNamed('c'), gone ? deleted(pod) : pod, podStatus)
    })
  expect(answers(false, false)).toEqual(expected)
  expect(answers(true, false)).toEqual(expected)
  expect(answers(false, true)).toEqual(expected)
  expect(answers(true, true)).toEqual([false, false, false])
})
