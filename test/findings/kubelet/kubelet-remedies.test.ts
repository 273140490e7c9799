import {expect, test} from 'vitest'
import {restartKubelet} from '../../../src/findings/kubelet/kubelet-remedies.ts'
import {smallNode} from '../../support/small-node.ts'
import {at} from '../../support/snapshot-builder.ts'

function commandOn(root: string, program?: string): string {
  const snapshot = smallNode((node) => {
    node.root = root
    if (program !== undefined) node.process = {pid: 812, program, startedAt: at(-3600), sameNetwork: true, certain: true}
  })
  return restartKubelet(snapshot, 'it starts anew').command
}

test.each([
  ['/var/lib/kubelet', 'kubelet', 'kubelet'],
  ['/var/lib/kubelet', undefined, 'kubelet'],
  ['/data/kubelet', 'kubelet', 'kubelet'],
  ['/var/lib/kubelet', 'k3s', 'k3s'],
  ['/data/kubelet', 'k3s', 'k3s'],
  ['/var/lib/k0s/kubelet', 'kubelet', 'k0sworker'],
  ['/var/lib/k0s/kubelet', undefined, 'k0sworker'],
  ['/var/snap/microk8s/common/var/lib/kubelet', 'kubelite', 'snap.microk8s.daemon-kubelite'],
])('restartKubelet() below %s of %s restarts the unit that it is in', (root, program, unit) => {
  expect(commandOn(root, program)).toBe(`systemctl restart ${unit}`)
})

test('restartKubelet() takes no command from a bundle', () => {
  expect(commandOn('/var/lib/kubelet', 'x; reboot')).toBe('systemctl restart kubelet')
})
