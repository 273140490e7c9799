import {expect, test} from 'vitest'
import {type CriMethod, timeoutOf} from '../../../src/kubelet/runtime/remote-runtime.ts'

test.each<[CriMethod, object, number]>([
  ['ListContainers', {}, 120],
  ['StopPodSandbox', {podSandboxId: 's'}, 120],
  ['RunPodSandbox', {config: {}}, 240],
  ['StopContainer', {containerId: 'c', timeout: 12}, 132],
  ['ExecSync', {containerId: 'c', cmd: [], timeout: 5}, 125],
  ['ExecSync', {containerId: 'c', cmd: [], timeout: 0}, Number.POSITIVE_INFINITY],
  ['PullImage', {image: 'i'}, Number.POSITIVE_INFINITY],
])('timeoutOf() %s %o is %d s', (method, request, seconds) => {
  expect(timeoutOf(method, request) / 1000).toBe(seconds)
})
