import {expect, test} from 'vitest'
import {stagingDir} from '../../../src/node/layout.ts'
import {brief, findingsOf} from '../../support/brief-findings.ts'
import {
  driver,
  gone,
  mounted,
  podRecord,
  root,
  runningPod,
  type SmallNode,
  smallNode,
  together,
  volumeDir,
  web,
  webVolume,
} from '../../support/small-node.ts'
import {at, logLine, waitingPod} from '../../support/snapshot-builder.ts'

const staging = stagingDir(driver, 'h9')
const devices = 'plugins/kubernetes.io/csi/volumeDevices'
const inUse = (...handles: readonly string[]) => ({
  name: 'n1',
  volumesInUse: handles.map((handle) => `kubernetes.io/csi/${driver}^${handle}`),
  volumesAttached: [],
})

/** kubernetes/kubernetes#85476: the kubelet died between NodeUnpublishVolume and NodeUnstageVolume. */
const staged = (node: SmallNode) => {
  node.files.push(`${staging}/globalmount/`)
  node.volData[`${staging}/vol_data.json`] = {driverName: driver, volumeHandle: 'h9'}
}
const stranded = (node: SmallNode) => {
  staged(node)
  node.mounts.push(mounted(`${staging}/globalmount`, {id: 90, device: '8:32'}))
}
const block = (node: SmallNode) => {
  node.files.push(`${devices}/staging/pv9/`)
  node.volData[`${devices}/pv9/data/vol_data.json`] = {specVolID: 'pv9', driverName: driver, volumeHandle: 'h9'}
}
const recently = (node: SmallNode) => Object.assign(node, {modified: {pods: -60}})

test.each<[string, (node: SmallNode) => unknown, readonly string[]]>([
  ['a mounted globalmount', stranded, ['V04 error']],
  [
    'one of the older layout',
    (node) => {
      node.files.push('plugins/kubernetes.io/csi/pv/pv9/globalmount/')
      node.volData['plugins/kubernetes.io/csi/pv/pv9/vol_data.json'] = {driverName: driver, volumeHandle: 'h9'}
      node.mounts.push(mounted('plugins/kubernetes.io/csi/pv/pv9/globalmount', {id: 90}))
    },
    ['V04 error'],
  ],
  [
    'one that is mounted a level deeper',
    together(staged, (node) => node.mounts.push(mounted(`${staging}/globalmount/0001`, {id: 90}))),
    ['V04 error'],
  ],
  ['one whose vol_data.json is gone', together(stranded, (node) => delete node.volData[`${staging}/vol_data.json`]), ['V04 error']],
  ['a raw block volume', block, ['V04 error']],
  ['a raw block volume that was unpublished', together(block, (node) => node.files.push(`${devices}/publish/pv9/`)), ['V04 error']],
  ['a record without a mount, as the hostpath driver leaves it', staged, ['V04 warning']],
  ['one that volumesInUse lacks', together(stranded, (node) => Object.assign(node, {node: inUse('h1')})), ['V04 critical']],
  ['one that volumesInUse lists', together(stranded, (node) => Object.assign(node, {node: inUse('h1', 'h9')})), ['V04 error']],
  [
    'one of a driver whose volumes are never listed there: it does not attach',
    together(stranded, (node) => Object.assign(node, {node: inUse()})),
    ['V04 error'],
  ],
])('V04 finds %s', (_what, change, expected) => {
  expect(brief(smallNode((node) => void change(node)))).toEqual(expected)
})

test.each<[string, (node: SmallNode) => unknown, readonly string[]]>([
  ['when a pod left a minute ago', recently, ['V04 info']],
  [
    'when a volume of a pod that is still there went a minute ago',
    (node) => Object.assign(node, {modified: {[`pods/${web}/volumes/kubernetes.io~csi`]: -60}}),
    ['V04 info'],
  ],
  ['when a directory of a pod is not dated', (node) => Object.assign(node, {modified: {[`pods/${web}/volumes`]: null}}), ['V04 info']],
  ['when nothing tells since when', (node) => Object.assign(node, {dated: false}), ['V04 info']],
  ['when volumesInUse lacks it and a pod left a minute ago', (node) => Object.assign(recently(node), {node: inUse('h1')}), ['V04 warning']],
  [
    'of which the log spoke a minute ago',
    (node) =>
      Object.assign(node, {
        dated: false,
        log: [
          logLine(-900, 'x'),
          logLine(-60, `UnmountDevice started for volume "pv9" (UniqueName: "kubernetes.io/csi/${driver}^h9") on node "n1" `),
        ],
      }),
    ['V04 info'],
  ],
  [
    'of which a log of a quarter of an hour does not speak',
    (node) => Object.assign(node, {dated: false, log: [logLine(-900, 'x'), logLine(-1, 'y')]}),
    ['V04 error'],
  ],
  [
    'of which a log that ended long ago does not speak',
    (node) => Object.assign(node, {dated: false, log: [logLine(-3000, 'x'), logLine(-2000, 'y')]}),
    ['V04 info'],
  ],
  [
    'while a pod waits for a claim: that is U01',
    (node) => node.pods.push(waitingPod('w', gone, ['c'], {createdAt: at(-600)})),
    ['U01 info'],
  ],
  [
    'while a running pod has a claim that its directory does not show',
    (node) => node.pods.push(runningPod('w', gone, ['c'])),
    ['V04 info'],
  ],
  [
    'while a running pod has its claim on a local volume',
    (node) => {
      node.pods.push(runningPod('w', gone, ['c']))
      node.files.push(`pods/${gone}/volumes/kubernetes.io~local-volume/pv8/`)
    },
    ['V04 error'],
  ],
  [
    'while a directory of a pod still has the volume',
    (node) => {
      node.volData[`${volumeDir(gone, 'pv9')}/vol_data.json`] = podRecord('pv9', 'h9')
    },
    ['V01 warning'],
  ],
  [
    'while the record of some volume of a pod is lost: it may be this one',
    (node) => {
      node.files.push(`${volumeDir(web, 'pv9')}/mount/`)
    },
    ['V02 error'],
  ],
  [
    'while the lost record of a pod is known to be of this one',
    (node) => {
      node.files.push(`${volumeDir(web, 'pv9')}/mount/`)
      node.log = [logLine(-60, `x for volume "pv9" (UniqueName: "kubernetes.io/csi/${driver}^h9") pod "web-0" (UID: "${web}") `)]
    },
    ['V02 error'],
  ],
])('V04 judges a mounted globalmount %s', (_what, change, expected) => {
  const snapshot = smallNode((node) => {
    stranded(node)
    change(node)
  })
  expect(brief(snapshot)).toEqual(expected)
})

test.each<[string, (node: SmallNode) => unknown]>([
  ["a driver's own mount below csi/pv", (node) => node.mounts.push(mounted('plugins/kubernetes.io/csi/pv/ephemeral/csi-x/mnt', {id: 90}))],
  ["a driver's own mount of another form", (node) => node.mounts.push(mounted('plugins/kubernetes.io/csi/other.example/cache', {id: 90}))],
  ['an empty globalmount without a record', (node) => node.files.push(`${staging}/globalmount/`)],
  [
    'the volume of a pod whose link is there',
    together(block, (node) => node.files.push(`pods/${web}/volumeDevices/kubernetes.io~csi/pv9`)),
  ],
  ['a raw block volume that is published still', together(block, (node) => node.files.push(`${devices}/publish/pv9/${gone}`))],
])('V04 is silent about %s', (_what, change) => {
  expect(brief(smallNode((node) => void change(node))).filter((each) => each.startsWith('V04'))).toEqual([])
})

test('V04 names its cause, the record that is lost', () => {
  const findings = findingsOf(
    smallNode((node) => {
      stranded(node)
      node.volData[`${staging}/vol_data.json`] = {unreadable: 'it is empty'}
    }),
  )
  expect(findings.map(({code, severity}) => `${code} ${severity}`)).toEqual(['V02 error', 'V04 error'])
  expect(findings[1]?.cause).toEqual({code: 'V02', subject: findings[0]?.subject})
})

test('V04 proposes a pod with the claim first, and unmounts before it removes', () => {
  const [finding] = findingsOf(smallNode(stranded))
  expect(finding?.subject).toEqual({kind: 'Volume', driver, handle: 'h9', path: `${root}/${staging}/globalmount`})
  expect(finding?.remedy.map(({command}) => command)).toEqual([
    'kubectl apply -f POD-WITH-THE-SAME-CLAIM.yaml',
    `umount ${root}/${staging}/globalmount`,
    `rm ${root}/${staging}/vol_data.json`,
    `rmdir ${root}/${staging}/globalmount ${root}/${staging}`,
  ])
  expect(finding?.remedy[2]?.loses).toContain('handle')
})

test('V04 does not take a volume for stranded that two pods have and one has left', () => {
  expect(brief(smallNode((node) => node.files.push(`${webVolume}/`)))).toEqual([])
})

test.each<[string, (node: SmallNode) => unknown, since: string | undefined, words: RegExp]>([
  [
    'an old one',
    () => {},
    '2026-11-30T02:00:00Z',
    /^The kubelet does nothing about it: nobody sends NodeUnstageVolume until a pod with the claim/,
  ],
  ['one whose pod left a minute ago', recently, '2026-11-30T02:59:00Z', /^The kubelet may be about to send NodeUnstageVolume/],
  ['one of unknown age', (node) => Object.assign(node, {dated: false}), undefined, /^The kubelet may be about to send/],
  [
    'one that a running pod may have',
    (node) => node.pods.push(runningPod('w', gone, ['c'])),
    '2026-11-30T02:00:00Z',
    /^The kubelet sends NodeUnstageVolume when the last pod that has the volume is gone/,
  ],
])('V04 says since when and what the kubelet does next of %s', (_what, change, since, words) => {
  const [finding] = findingsOf(smallNode(together(stranded, change)))
  expect([finding?.since, finding?.next]).toEqual([since, expect.stringMatching(words)])
})
