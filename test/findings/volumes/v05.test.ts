// V05 and V06: volumes of running pods that are not what they seem.
import {expect, test} from 'vitest'
import {stagingDir} from '../../../src/node/layout.ts'
import {brief, findingsOf} from '../../support/brief-findings.ts'
import {
  driver,
  mounted,
  podRecord,
  root,
  runningPod,
  type SmallNode,
  smallNode,
  together,
  volumeDir,
  web,
  webStaging,
  webVolume,
} from '../../support/small-node.ts'
import {at} from '../../support/snapshot-builder.ts'

const answers = {state: 'answers'} as const
const stages = {socket: '/csi.sock', answer: answers, name: driver, capabilities: ['STAGE_UNSTAGE_VOLUME']}
const unmount = (node: SmallNode, ...ids: readonly number[]) => {
  node.mounts = node.mounts.filter(({id}) => !ids.includes(id))
}
/** A second volume of the driver, of the same pod, that is staged and published. */
const second = (node: SmallNode) => {
  const [dir, staging] = [volumeDir(web, 'pv2'), stagingDir(driver, 'h2')]
  node.pods = [runningPod('web-0', web, ['data', 'more'])]
  node.volData[`${dir}/vol_data.json`] = podRecord('pv2', 'h2')
  node.volData[`${staging}/vol_data.json`] = {driverName: driver, volumeHandle: 'h2'}
  node.files.push(`${dir}/mount/`, `${staging}/globalmount/`)
  node.mounts.push(mounted(`${staging}/globalmount`, {id: 61, device: '8:48'}), mounted(`${dir}/mount`, {id: 62, device: '8:48'}))
}
const dropStaging = (node: SmallNode) => {
  unmount(node, 51, 52)
  node.files = node.files.filter((path) => !path.startsWith(webStaging))
  delete node.volData[`${webStaging}/vol_data.json`]
}

test.each<[string, (node: SmallNode) => unknown, readonly string[]]>([
  [
    'the driver stages and the directory is gone (#121357)',
    together(dropStaging, (node) => Object.assign(node, {drivers: [stages]})),
    ['V06 critical', 'V05 error'],
  ],
  [
    'the driver stages and the record is gone',
    (node) => {
      unmount(node, 51, 52)
      delete node.volData[`${webStaging}/vol_data.json`]
      node.drivers = [stages]
    },
    ['V06 critical', 'V05 error'],
  ],
  [
    'another volume of the driver has a mounted globalmount (#106729)',
    together(second, (node) => unmount(node, 51, 52)),
    ['V06 critical', 'V05 error'],
  ],
  [
    'it is published as the bare globalmount, a directory of the node',
    (node) => {
      second(node)
      unmount(node, 51, 52)
      node.mounts.push(mounted(`${webVolume}/mount`, {id: 52, device: '254:0', root: `${root}/${webStaging}/globalmount`}))
    },
    ['V05 error'],
  ],
])('V05 finds a volume that is not staged: %s', (_what, change, expected) => {
  expect(brief(smallNode((node) => void change(node)))).toEqual(expected)
})

test.each<[string, (node: SmallNode) => unknown]>([
  [
    'a driver that says it does not stage',
    together(dropStaging, (node) => Object.assign(node, {drivers: [{...stages, capabilities: []}]})),
  ],
  ['a driver that nobody asked, of a single volume', dropStaging],
  [
    'a driver that does not answer',
    together(dropStaging, (node) => Object.assign(node, {drivers: [{socket: '/csi.sock', answer: {state: 'silent', why: 'x'}}]})),
  ],
  [
    'a volume that is served from elsewhere: the driver stages where we do not look',
    (node) => {
      second(node)
      unmount(node, 51)
    },
  ],
  [
    'an inline volume',
    (node) => {
      node.drivers = [stages]
      node.volData[`${volumeDir(web, 'scratch')}/vol_data.json`] = podRecord('scratch', `csi-${'0a'.repeat(32)}`, 'Ephemeral')
    },
  ],
  [
    'a pod that is being deleted',
    together(dropStaging, (node) =>
      Object.assign(node, {drivers: [stages], pods: [runningPod('web-0', web, ['data'], {deletedAt: at(-60)})]}),
    ),
  ],
  [
    'a pod that is over',
    together(dropStaging, (node) =>
      Object.assign(node, {drivers: [stages], containers: [], pods: [runningPod('web-0', web, ['data'], {phase: 'Succeeded'})]}),
    ),
  ],
])('V05 is silent about %s', (_what, change) => {
  expect(brief(smallNode((node) => void change(node))).filter((each) => each.startsWith('V05'))).toEqual([])
})

test('V05 is info while the pod is younger than five minutes, and silent where the entry in its directory comes before the stage', () => {
  const waiting = (node: SmallNode) => {
    dropStaging(node)
    node.drivers = [stages]
    node.containers = []
    node.dated = false
    node.pods = [runningPod('web-0', web, ['data'], {phase: 'Pending', createdAt: at(-200), containers: []})]
  }
  expect(brief(smallNode(waiting))).toEqual(['V05 info'])
  expect(brief(smallNode(waiting), '1.21.2')).toEqual([])
})

test('V06 follows from V05', () => {
  const [bare, unstaged] = findingsOf(smallNode(together(dropStaging, (node) => Object.assign(node, {drivers: [stages]}))))
  expect(bare?.cause).toEqual({code: 'V05', subject: unstaged?.subject})
  expect(unstaged?.subject).toMatchObject({name: 'pv1', pod: 'web-0', path: `${root}/${webStaging}/globalmount`})
})

test.each<[string, (node: SmallNode) => unknown, readonly string[]]>([
  ['on the device of the node', () => {}, ['V06 critical']],
  ['when nobody looked at the device', (node) => Object.assign(node, {devices: false}), ['V06 error']],
  [
    'on another device: a mount that the table does not show',
    (node) => Object.assign(node, {entries: {[`${webVolume}/mount`]: {device: '8:16'}}}),
    [],
  ],
  [
    'seen from where no mount shows',
    (node) => Object.assign(node, {entries: {[`pods/${web}/volumes/kubernetes.io~projected/token`]: {device: '254:0'}}}),
    ['V06 error'],
  ],
  ['in a table without any mount of a pod', (node) => unmount(node, 50), ['V06 info']],
  [
    'in such a table, when nobody looked at the device',
    together(
      (node) => unmount(node, 50),
      (node) => Object.assign(node, {devices: false}),
    ),
    [],
  ],
  [
    'of a container that started a minute ago',
    (node) => Object.assign(node, {containers: node.containers.map((each) => ({...each, createdAt: BigInt(at(-60)) * 1_000_000n}))}),
    ['V06 info'],
  ],
  [
    'of a container of unknown age',
    (node) => Object.assign(node, {containers: node.containers.map((each) => ({...each, createdAt: 0n}))}),
    ['R10 warning', 'V06 info'],
  ],
  ['of a pod without a running container', (node) => Object.assign(node, {containers: []}), []],
  ['of a pod that waits', (node) => Object.assign(node, {pods: node.pods.map((pod) => ({...pod, phase: 'Pending'}))}), []],
  ['of a pod that is being deleted', (node) => Object.assign(node, {pods: node.pods.map((pod) => ({...pod, deletedAt: at(30)}))}), []],
  [
    'that a driver publishes as a link',
    (node) => Object.assign(node, {entries: {[`${webVolume}/mount`]: {type: 'link', target: '/x'}}}),
    [],
  ],
  ['of an inline volume', (node) => Object.assign(node.volData, {[`${webVolume}/vol_data.json`]: podRecord('pv1', 'h1', 'Ephemeral')}), []],
  [
    'of a record that does not say which it is',
    (node) => Object.assign(node.volData, {[`${webVolume}/vol_data.json`]: {driverName: driver, volumeHandle: 'h1'}}),
    [],
  ],
  ['with a mount below it', (node) => node.mounts.push(mounted(`${webVolume}/mount/sub`, {id: 70})), []],
  ['with a mount above it', (node) => node.mounts.push(mounted(webVolume, {id: 70})), []],
])('V06 judges a bare directory %s', (_what, change, expected) => {
  const snapshot = smallNode((node) => {
    unmount(node, 52)
    change(node)
  })
  expect(brief(snapshot)).toEqual(expected)
})

test('V06 copies before it deletes', () => {
  const [finding] = findingsOf(smallNode((node) => unmount(node, 52)))
  expect(finding?.remedy.map(({command}) => command)).toEqual([
    `findmnt --task 1 --target ${root}/${webVolume}/mount`,
    'kubectl cordon n1',
    `cp -a ${root}/${webVolume}/mount /var/tmp/${web}-pv1`,
    'kubectl -n default delete pod web-0',
  ])
  expect(finding?.remedy.at(-1)?.loses).not.toBeNull()
})

const unstaged = together(dropStaging, (node) => Object.assign(node, {drivers: [stages]}))
const drivers = `plugins/kubernetes.io/csi/${driver}`
const driverDir = (changed: number) => (node: SmallNode) =>
  Object.assign(node, {files: [...node.files, `${drivers}/`], modified: {[drivers]: changed}})
const createdAt = (seconds: number) => (node: SmallNode) =>
  Object.assign(node, {pods: node.pods.map((pod) => ({...pod, createdAt: at(seconds)}))})

test.each<[string, (node: SmallNode) => unknown, since: string | undefined]>([
  ['since its pod was made, when its directory was missing then', together(driverDir(-3600), createdAt(-1800)), '2026-11-30T02:30:00Z'],
  ['since its directory went after that', driverDir(-1800), '2026-11-30T02:30:00Z'],
  ['at an unknown time, when a directory beside it went a minute ago', driverDir(-60), undefined],
  ['at an unknown time, when nobody listed where it would lie', () => {}, undefined],
  ['at an unknown time, when its directory is there', (node) => node.files.push(`${webStaging}/globalmount/`), undefined],
  ['since its pod was made a moment ago', createdAt(-100), '2026-11-30T02:58:20Z'],
  ['since its own directory was made a moment ago', (node) => Object.assign(node, {modified: {[webVolume]: -100}}), '2026-11-30T02:58:20Z'],
])('V05 says that a volume has not been staged %s', (_what, change, since) => {
  const found = findingsOf(smallNode(together(unstaged, change))).filter(({code}) => code === 'V05')
  expect(found.map((finding) => finding.since)).toEqual([since])
})

test.each([
  ['1.36.2', /calls NodeStageVolume again only after a start of its own or after NodeUnstageVolume/],
  ['1.26.5', /calls NodeStageVolume again only after NodeUnstageVolume/],
  ['1.18.2', /calls NodeStageVolume for the next one with the volume/],
])('V05 says what kubelet %s does next', (version, words) => {
  const found = findingsOf(smallNode(unstaged), version).filter(({code}) => code === 'V05')
  expect(found.map(({next}) => next)).toEqual([expect.stringMatching(words)])
})

test.each([
  ['1.36.2', /only for a driver with requiresRepublish, every 60 to 90s, and for every driver after a start of its own\./],
  ['1.26.5', /only for a driver with requiresRepublish, every 60 to 90s\./],
])('V06 does not know since when, and says what kubelet %s does next', (version, words) => {
  const [finding] = findingsOf(
    smallNode((node) => unmount(node, 52)),
    version,
  )
  expect([finding?.since, finding?.next]).toEqual([undefined, expect.stringMatching(words)])
})
