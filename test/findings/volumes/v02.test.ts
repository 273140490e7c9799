import {expect, test} from 'vitest'
import {readVolData} from '../../../src/node/vol-data.ts'
import {brief, findingsOf} from '../../support/brief-findings.ts'
import {
  driver,
  gone,
  mounted,
  podRecord,
  readySandbox,
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
import {at, logLine} from '../../support/snapshot-builder.ts'

const file = `${webVolume}/vol_data.json`
const devices = 'plugins/kubernetes.io/csi/volumeDevices'
const read = (text: string) => readVolData(new TextEncoder().encode(text))
const broken = (text: string) => (node: SmallNode) => {
  node.volData[file] = read(text)
}
const missing = (node: SmallNode) => {
  delete node.volData[file]
}

test.each<[string, (node: SmallNode) => unknown, RegExp]>([
  ['has no bytes (#108217)', broken(''), /is empty/],
  ['is cut', broken('{"specVolID":"pvc-'), /it breaks off/],
  ['is an array', broken('[]'), /is an array/],
  ['has a number in it', broken('{"driverName":"d.example","volumeHandle":7}'), /'volumeHandle' is not a string/],
  ['lacks the driver', broken('{"volumeHandle":"h1"}'), /it names no driver/],
  ['lacks the handle', broken('{"driverName":"d.example","volumeHandle":""}'), /it names no volume handle/],
  ['is null', broken('null'), /it names no driver/],
  ['is missing (#85280)', missing, /is missing/],
  [
    'is a directory',
    (node) => {
      missing(node)
      node.files.push(`${file}/`)
    },
    /is a directory, not a file/,
  ],
])('V02 finds that a vol_data.json %s', (_what, change, words) => {
  const [finding] = findingsOf(smallNode((node) => void change(node))).filter(({code}) => code === 'V02')
  expect(finding).toMatchObject({
    code: 'V02',
    severity: 'error',
    subject: {name: 'pv1', pod: 'web-0', podUid: web, path: `${root}/${file}`},
  })
  expect(finding?.message).toMatch(words)
})

test.each<[string, (node: SmallNode) => unknown]>([
  ['text behind the first JSON value', broken('{"driverName":"d.example","volumeHandle":"h1","volumeLifecycleMode":"Persistent"}garbage')],
  ['no volumeLifecycleMode', broken('{"specVolID":"pv1","driverName":"d.example","volumeHandle":"h1"}')],
  ['a reader that failed', (node) => Object.assign(node.volData, {[file]: {unreadable: 'EACCES: permission denied'}})],
  [
    'a directory of a pod that is gone, with nothing in it',
    (node) => {
      node.files.push(`${volumeDir(gone, 'pv9')}/`)
      node.without.push('kubelet.log')
    },
  ],
])('V02 is silent about %s', (_what, change) => {
  expect(brief(smallNode((node) => void change(node))).filter((each) => each.startsWith('V02'))).toEqual([])
})

test.each<[string, (node: SmallNode) => unknown, readonly string[]]>([
  ['a minute ago', (node) => Object.assign(node, {modified: {[webVolume]: -60}}), ['V02 info']],
  ['at an unknown time, of a pod whose containers have run for an hour', (node) => Object.assign(node, {dated: false}), ['V02 error']],
  ['at an unknown time, of a pod without a container', (node) => Object.assign(node, {dated: false, containers: []}), ['V02 info']],
  [
    'of a pod that was to be gone five minutes ago',
    (node) => Object.assign(node, {dated: false, containers: [], pods: [runningPod('web-0', web, ['data'], {deletedAt: at(-300)})]}),
    ['V02 error'],
  ],
  [
    'of a pod that was to be gone a minute ago',
    (node) => Object.assign(node, {dated: false, containers: [], pods: [runningPod('web-0', web, ['data'], {deletedAt: at(-60)})]}),
    ['V02 info'],
  ],
])('V02 judges a file that went %s', (_what, change, expected) => {
  const snapshot = smallNode((node) => {
    missing(node)
    change(node)
  })
  expect(brief(snapshot).filter((each) => each.startsWith('V02'))).toEqual(expected)
})

test('V02 calls it harmless when nobody knows the pod and nothing is mounted (#116847), and stuck when it is mounted', () => {
  const left = volumeDir(gone, 'pv9')
  const harmless = (node: SmallNode) => node.files.push(`${left}/mount/`)
  expect(brief(smallNode((node) => void harmless(node)))).toEqual(['V01 warning', 'V02 info'])
  const snapshot = smallNode((node) => {
    harmless(node)
    node.mounts.push(mounted(`${left}/mount`, {id: 90}))
  })
  const findings = findingsOf(snapshot)
  expect(findings.map(({code, severity}) => `${code} ${severity}`)).toEqual(['V01 error', 'V02 error', 'V03 error'])
  expect(findings[2]?.cause).toEqual({code: 'V02', subject: findings[1]?.subject})
  expect(findings[1]?.remedy.slice(-2).map(({command}) => command)).toEqual([
    `umount ${root}/${left}/mount`,
    `rm -f ${root}/${left}/vol_data.json`,
  ])
})

const whole =
  '{"attachmentID":"csi-8f359322347598f1e4553c7b99de3cb97f8d9a28a4bbcd7262093e668a05798c","driverName":"hostpath.csi.k8s.io","nodeName":"n1","specVolID":"pv1","volumeHandle":"48fb8f96-ec69-11f1-b476-7264fc4fb799","volumeLifecycleMode":"Persistent"}'
const named = 'UniqueName: "kubernetes.io/csi/hostpath.csi.k8s.io^48fb8f96-ec69-11f1-b476-7264fc4fb799"'

test('V02 does not take a sandbox that is not ready for a pod that waits, nor a list that says nothing for a pod that is gone', () => {
  const left = (node: SmallNode) => node.files.push(`${volumeDir(gone, 'pv9')}/mount/`)
  const messages = (change: (node: SmallNode) => unknown) =>
    findingsOf(smallNode(together(left, change)))
      .filter(({code}) => code === 'V02')
      .map(({severity, message}) => `${severity}: ${message.split(': ')[1]}`)
  expect(messages((node) => node.sandboxes.push(readySandbox('web-9', gone, 1)))).toEqual([
    'info: nothing is mounted and no pod waits for it, so nothing depends on it.',
  ])
  expect(messages((node) => Object.assign(node, {pods: []}))).toEqual([])
})

test('V02 prints the very file that a kubelet wrote (fixtures/nodes/healthy), when the log names the volume', () => {
  const snapshot = smallNode((node) => {
    broken('')(node)
    node.log = [logLine(-60, `operationExecutor.MountVolume started for volume "pv1" (${named}) pod "web-0" (UID: "${web}") `)]
  })
  const [finding] = findingsOf(snapshot).filter(({code}) => code === 'V02')
  expect(finding?.remedy).toEqual([
    {command: `printf '%s\\n' '${whole}' > ${root}/${file}`, why: expect.stringContaining('kubelet.log'), loses: 'what the file holds now'},
  ])
})

test('V02 takes driver and handle from another pod that has the volume, and from no two that differ', () => {
  const other = '22222222-2222-4222-8222-222222222222'
  const third = '33333333-3333-4333-8333-333333333333'
  const remedyOf = (change: (node: SmallNode) => void) => findingsOf(smallNode(change)).find(({code}) => code === 'V02')?.remedy[0]
  const one = remedyOf((node) => {
    missing(node)
    node.volData[`${volumeDir(other, 'pv1')}/vol_data.json`] = podRecord('pv1', 'h1')
  })
  expect(one).toMatchObject({command: expect.stringContaining('"volumeHandle":"h1"'), loses: null})
  const two = remedyOf((node) => {
    missing(node)
    node.volData[`${volumeDir(other, 'pv1')}/vol_data.json`] = podRecord('pv1', 'h1')
    node.volData[`${volumeDir(third, 'pv1')}/vol_data.json`] = podRecord('pv1', 'h2')
  })
  expect(two?.command).toMatch(/^kubectl get pv pv1 -o jsonpath=/)
  const nameless = remedyOf((node) => {
    missing(node)
    node.name = ''
    node.volData[`${volumeDir(other, 'pv1')}/vol_data.json`] = podRecord('pv1', 'h1')
  })
  expect(nameless?.command).toMatch(/^kubectl get pv pv1/)
})

test('V02 finds the one file of a raw block volume, for all pods that have it', () => {
  const block = (node: SmallNode) => {
    node.files.push(`${devices}/staging/pv2/`, `${devices}/publish/pv2/${web}`, `pods/${web}/volumeDevices/kubernetes.io~csi/pv2`)
    node.volData[`${devices}/pv2/data/vol_data.json`] = {unreadable: 'it is empty'}
  }
  const [finding] = findingsOf(smallNode(block))
  expect(finding).toMatchObject({code: 'V02', severity: 'error', subject: {name: 'pv2', podUid: web}})
  const [gone] = findingsOf(
    smallNode((node) => {
      block(node)
      delete node.volData[`${devices}/pv2/data/vol_data.json`]
      node.files.push(`${devices}/pv2/dev/${web}`)
    }),
  )
  expect(gone).toMatchObject({code: 'V02', severity: 'error'})
  expect(gone?.message).toContain('The vol_data.json of the raw block volume pv2 is missing')
})

test('V02 finds the file beside a globalmount, and writes it back by the volume that has its hash', () => {
  const snapshot = smallNode((node) => Object.assign(node.volData, {[`${webStaging}/vol_data.json`]: {unreadable: 'it is empty'}}))
  const [finding] = findingsOf(snapshot)
  expect(finding).toMatchObject({code: 'V02', severity: 'error', subject: {driver, handle: 'h1'}})
  expect(finding?.remedy[0]?.command).toBe(
    `printf '%s\\n' '{"driverName":"d.example","volumeHandle":"h1"}' > ${root}/${webStaging}/vol_data.json`,
  )
})

const undated =
  (more: Partial<SmallNode> = {}) =>
  (node: SmallNode) =>
    Object.assign(node, {dated: false, ...more})
const pod = (deletedAt: number) => [runningPod('web-0', web, ['data'], {deletedAt: at(deletedAt)})]

test.each<[string, (node: SmallNode) => unknown, since: string | undefined, words: RegExp]>([
  ['since its directory changed', () => {}, '2026-11-30T02:00:00Z', /^The kubelet does nothing about it until the pod goes/],
  [
    'since its directory changed, while the pod goes',
    (node) => Object.assign(node, {pods: pod(-300)}),
    '2026-11-30T02:00:00Z',
    /^The kubelet tries to unmount the volume in vain, .* and the pod stays/,
  ],
  [
    'at an unknown time, when only old containers tell that it is no start',
    undated(),
    undefined,
    /^The kubelet does nothing about it until/,
  ],
  [
    'since the pod was to be gone a minute ago',
    undated({containers: [], pods: pod(-60)}),
    '2026-11-30T02:59:00Z',
    /^The kubelet writes the file or removes its directory in its next step/,
  ],
])('V02 says that a file has been missing %s, and what comes next', (_what, change, since, words) => {
  const [finding] = findingsOf(smallNode(together(missing, change))).filter(({code}) => code === 'V02')
  expect([finding?.since, finding?.next]).toEqual([since, expect.stringMatching(words)])
})

test.each([
  ['1.36.2', /tries once after a start to unmount it, and forgets it then/],
  ['1.26.5', /only tries after a start to unmount it/],
])('V02 says what kubelet %s does next about a volume that nobody waits for', (version, words) => {
  const dir = volumeDir(gone, 'pv9')
  const snapshot = smallNode((node) => {
    node.files.push(`${dir}/mount/`)
    node.mounts.push(mounted(`${dir}/mount`, {id: 90}))
  })
  const found = findingsOf(snapshot, version).filter(({code}) => code === 'V02')
  expect(found.map(({next}) => next)).toEqual([expect.stringMatching(words)])
})

test('V02 says of a staged volume that the file is wanted when no pod has the volume any more', () => {
  const found = findingsOf(smallNode((node) => Object.assign(node.volData, {[`${webStaging}/vol_data.json`]: read('')})))
  expect(found.filter(({code}) => code === 'V02').map(({next}) => next)).toEqual([
    expect.stringMatching(
      /^The kubelet reads the file when no pod on this node wants the volume any more; it then tries NodeUnstageVolume in vain/,
    ),
  ])
})
