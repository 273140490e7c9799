import {expect, test} from 'vitest'
import {kubeletRestart} from '../../../src/node/kubelet-facts/restart-words.ts'

const restartOf = (program: string | undefined, unit?: string) =>
  kubeletRestart({
    process: program === undefined ? undefined : {pid: 7, program},
    log: {
      units: unit === undefined ? {value: ['kubelet', 'k3s'], why: 'the usual names'} : {value: [unit], why: 'the cgroup of pid 7'},
      files: [],
    },
  })

test.each([
  ['kubelet', 'kubelet', 'systemctl restart kubelet'],
  ['kubelet', 'my-kubelet', 'systemctl restart my-kubelet'],
  ['kubelite', 'snap.microk8s.daemon-kubelite', 'systemctl restart snap.microk8s.daemon-kubelite'],
  ['kubelet', 'rke2-agent', 'kill 7'],
  ['kubelet', 'k0sworker', 'kill 7'],
  ['k3s', 'k3s-agent', undefined],
  ['kubelet', undefined, undefined],
  [undefined, undefined, undefined],
])('kubeletRestart() of %s in the unit %s is %s', (program, unit, command) => {
  const {words, ...rest} = restartOf(program, unit)
  expect(rest).toEqual({...(command !== undefined && {command}), ...(program === undefined && {unseen: true})})
  expect(words).not.toBe('')
})

test('kubeletRestart() of k3s says that it is of no use', () => {
  expect(restartOf('k3s', 'k3s').words).toMatch(/^the kubelet runs inside k3s, process 7: a restart of k3s ends its containerd, too/)
})
