import {expect, test} from 'vitest'
import {type Expected, expectAtMostInfo, expectOnly, reportOf} from '../support/examined/expect.ts'
import {healthy, web, webVolume} from '../support/examined/healthy.ts'
import {ago, hour} from '../support/examined/node.ts'
import {driverRemoved, pictures, recordEmpty, statusRefused, terminating} from '../support/examined/pictures.ts'

test.each<[string, readonly Expected[]]>([
  ['P01 k8s#116954', [['P01', 'error', {kind: 'Pod', uid: web}]]],
  ['P01 k8s#76382', [['P01', 'error', {kind: 'Pod', uid: web}]]],
  ['P02 cri-o#4693', [['P02', 'warning', {kind: 'Container', podUid: web}]]],
  ['P03 k8s#104107', [['P03', 'warning', {kind: 'Container', podUid: web}]]],
  ['P04 k8s#58711', [['P04', 'error', {kind: 'Pod', uid: web}]]],
])('the picture of %s is found, and nothing else above info', (name, expected) => {
  expectOnly(healthy(pictures[name]), ...expected)
})

test.each<[string, string, (node: Parameters<typeof recordEmpty>[0]) => void]>([
  ['k8s#108217: a record of 0 bytes', 'V02', (node) => recordEmpty(node)],
  [
    'secrets-store#895: its driver was removed',
    'C01',
    (node) => {
      terminating(node, web, hour)
      driverRemoved(node)
    },
  ],
])('P01 names what holds the pod: %s', (_, code, change) => {
  const {findings} = reportOf(healthy(change))
  const pod = findings.find((each) => each.code === 'P01')
  expect(pod?.cause?.code).toBe(code)
  expect(findings.filter((each) => each.code === code).map(({subject}) => subject)).toContainEqual(pod?.cause?.subject)
})

test('P01 of a kubelet that refuses the status of a pod is caused by nothing else, a removed driver or not', () => {
  const {findings} = reportOf(
    healthy((node) => {
      statusRefused(node)
      driverRemoved(node)
    }),
  )
  expect(findings.filter(({code}) => code === 'P01').map(({severity, cause}) => [severity, cause])).toEqual([['error', null]])
})

test('P01 look-alike: a pod whose volume is being unmounted for a minute and a half', () => {
  expectAtMostInfo(healthy((node) => terminating(node, web, 90)))
})

test('P01 look-alike: a node that was off for an hour while its pod was deleted, and has just started', () => {
  const node = healthy((each) => {
    terminating(each, web, hour)
    each.bootedAgo = 60
    each.kubeletProcess = {pid: 812, program: 'kubelet', startedAt: ago(50), certain: true}
    each.unmount(`${webVolume}/mount`)
    each.remove(webVolume)
  })
  const {findings} = reportOf(node)
  expect(findings.filter(({code}) => code === 'P01').map(({severity}) => severity)).toEqual(['info'])
})
