// V01 and V03: directories and mounts of pods that nobody knows.
import {expect, test} from 'vitest'
import {formatInstant} from '../../../src/base/instant.ts'
import {detect} from '../../../src/findings/detect.ts'
import {detectors} from '../../../src/findings/detectors.ts'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import {brief, findingsOf} from '../../support/brief-findings.ts'
import {
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
} from '../../support/small-node.ts'
import {at, logLine} from '../../support/snapshot-builder.ts'

const left = volumeDir(gone, 'pv9')
const inlineHandle = `csi-${'0a'.repeat(32)}`

const emptyDir = (node: SmallNode) => node.files.push(`${left}/`)
const record = (node: SmallNode) => {
  node.volData[`${left}/vol_data.json`] = podRecord('pv9', 'h9')
}
const stillMounted = (node: SmallNode) => {
  record(node)
  node.files.push(`${left}/mount/`)
  node.mounts.push(mounted(`${left}/mount`, {id: 90, device: '8:32'}))
}
const unreadable = (node: SmallNode) => {
  node.volData[`${left}/vol_data.json`] = {unreadable: 'it is empty'}
}
const data = (node: SmallNode) => {
  node.files.push(`pods/${gone}/volumes/kubernetes.io~empty-dir/scratch/core`)
  node.entries = {[`pods/${gone}/volumes/kubernetes.io~empty-dir/scratch/core`]: {size: 42, modifiedAt: at(-30)}}
}
const subPath = (node: SmallNode) => node.mounts.push(mounted(`pods/${gone}/volume-subpaths/data/app/0`, {id: 91, device: '254:0'}))
const inline = (node: SmallNode) => {
  node.volData[`${left}/vol_data.json`] = podRecord('pv9', inlineHandle, 'Ephemeral')
}

test.each<[string, (node: SmallNode) => unknown, readonly string[], string]>([
  ['an empty one', emptyDir, ['V01 warning'], 'empty'],
  ['one that holds vol_data.json alone (#105536)', record, ['V01 warning'], 'metadata-only'],
  [
    'one with files (#119792), however young they are',
    data,
    ['V01 warning'],
    'data-left): 1 file of 42 bytes (the newest of 2026-11-30T02:59:30Z)',
  ],
  ['one with a FlexVolume (#82215)', (node) => node.files.push(`pods/${gone}/volumes/vendor~lvm/v1/`), ['V01 warning'], 'flexvolume'],
  ['one with a mount', stillMounted, ['V01 error', 'V03 error'], 'still-mounted'],
  ['an inline volume without a mount (#79980)', inline, ['V01 warning', 'V03 warning'], 'metadata-only'],
  ['one of a static pod', (node) => node.files.push(`pods/${'0f'.repeat(16)}/volumes/`), ['V01 warning'], 'empty'],
])('V01 finds %s', (_what, change, expected, words) => {
  const snapshot = smallNode((node) => void change(node))
  expect(brief(snapshot)).toEqual(expected)
  expect(findingsOf(snapshot)[0]?.message).toContain(`(${words}`)
})

test('V01 finds a subPath that is still mounted (#135698), which a look at volumes/ alone misses', () => {
  const snapshot = smallNode((node) => {
    subPath(node)
    node.files.push(`pods/${gone}/`)
  })
  const [finding] = findingsOf(snapshot).filter(({code}) => code === 'V01')
  expect(finding).toMatchObject({severity: 'error', cause: {code: 'V10'}})
  expect(finding?.message).toContain('(subpath)')
  expect(finding?.remedy[0]?.command).toBe(`umount ${root}/pods/${gone}/volume-subpaths/data/app/0`)
  expect(brief(snapshot)).not.toContain('V03 error')
})

test.each<[string, (node: SmallNode) => unknown, readonly string[]]>([
  ['that changed nine minutes ago', (node) => Object.assign(node, {modified: {[`pods/${gone}`]: -9 * 60}}), ['V01 info', 'V03 info']],
  ['from the future', (node) => Object.assign(node, {modified: {[`pods/${gone}`]: 3600}}), ['V01 info', 'V03 info']],
  ['of unknown age', (node) => Object.assign(node, {dated: false}), ['V01 info', 'V03 info']],
  [
    'of which the log has spoken for a quarter of an hour',
    (node) => {
      node.dated = false
      node.log = [
        logLine(-900, 'There were many similar errors.', {err: `orphaned pod "${gone}" found, but error not a directory occurred`}),
      ]
    },
    ['V01 error', 'V03 error'],
  ],
  [
    'of which the old form of the log has spoken',
    (node) => {
      node.dated = false
      node.log = [
        logLine(-900, `Orphaned pod "${gone}" found, but volume paths are still present on disk : There were a total of 1 errors`),
      ]
    },
    ['V01 error', 'V03 error'],
  ],
  [
    'that a kubelet of a minute has not looked at yet',
    (node) => Object.assign(node, {log: [logLine(-60, 'Starting Kubelet Volume Manager')]}),
    ['V01 info', 'V03 info'],
  ],
  ['whose sandbox is left', (node) => node.sandboxes.push(readySandbox('web-9', gone, 1)), []],
  ['that the API server knows', (node) => Object.assign(node, {apiPods: [...node.pods, runningPod('web-9', gone, [])]}), []],
])('V01 and V03 judge a directory %s', (_what, change, expected) => {
  const snapshot = smallNode((node) => {
    stillMounted(node)
    change(node)
  })
  expect(brief(snapshot)).toEqual(expected)
})

test.each<[string, (node: SmallNode) => unknown]>([
  ['the kubelet lists no pod', (node) => Object.assign(node, {pods: []})],
  [
    'the kubelet lacks a pod whose sandbox is READY',
    (node) => node.sandboxes.push(readySandbox('other', '22222222-2222-4222-8222-222222222222')),
  ],
])('V01, V03 and V04 conclude nothing when %s, and say so', (_what, change) => {
  const snapshot = smallNode((node) => {
    stillMounted(node)
    change(node)
  })
  const {looked, unseen, findings} = detect(snapshot, profileOf('1.36.2'), detectors)
  expect(looked).toEqual(expect.not.arrayContaining(['V01', 'V03', 'V04']))
  expect(findings.filter(({severity}) => severity !== 'info')).toEqual([])
  expect(unseen).toContainEqual({source: 'kubelet.pods', why: expect.stringContaining('no pod can be called gone')})
})

test.each<[string, (node: SmallNode) => unknown]>([
  ['crictl made', (node) => node.sandboxes.push({...readySandbox('x', 'hdishd83djaidwnduwk28bcsb'), labels: {}})],
  [
    'is left of a pod that the API server has no more',
    (node) => {
      node.sandboxes.push(readySandbox('other', '22222222-2222-4222-8222-222222222222'))
      node.apiPods = node.pods
    },
  ],
])('V01 is not blinded by a READY sandbox that %s', (_what, change) => {
  const snapshot = smallNode((node) => {
    stillMounted(node)
    change(node)
  })
  expect(brief(snapshot).filter((each) => each.startsWith('V'))).toEqual(['V01 error', 'V03 error'])
})

test('V01 follows from the V03 of the mount in it', () => {
  const [orphan, leak] = findingsOf(smallNode(stillMounted))
  expect(orphan?.cause).toEqual({code: 'V03', subject: leak?.subject})
  expect(leak?.subject).toMatchObject({kind: 'Volume', name: 'pv9', podUid: gone, path: `${root}/${left}`})
})

test('V01 never proposes to delete what is mounted, and not a thing when the mount table was not read', () => {
  const [mountedOne] = findingsOf(smallNode(stillMounted))
  expect(mountedOne?.remedy.map(({command}) => command)).toEqual([`umount ${root}/${left}/mount`, 'kubelimbo check'])
  const blindNode = smallNode((node) => {
    record(node)
    node.without = ['kernel.mounts']
  })
  const [blind] = findingsOf(blindNode)
  expect(blind?.remedy.map(({command}) => command)).toEqual([`grep -F ${root}/pods/${gone}/ /proc/1/mountinfo`])
})

test('V01 says what is lost with the record of a volume', () => {
  const [finding] = findingsOf(smallNode(record))
  expect(finding?.remedy[0]).toMatchObject({command: `rm ${root}/${left}/vol_data.json`, loses: expect.stringContaining('handle')})
  expect(finding?.remedy.every(({command}) => !/rm +-\w*[rR]/.test(command))).toBe(true)
})

test('V03 unmounts the innermost first, quotes what the shell would take apart, and says what memory loses', () => {
  const odd = `${volumeDir(gone, "it's a volume")}/mount`
  const snapshot = smallNode((node) => {
    node.files.push(`${odd}/`)
    node.mounts.push(mounted(odd, {id: 90, fsType: 'tmpfs', source: 'tmpfs'}), mounted(`${odd}/sub`, {id: 91, parent: 90}))
  })
  const remedy = findingsOf(snapshot).find(({code}) => code === 'V03')?.remedy
  expect(remedy?.map(({command, loses}) => [command, loses])).toEqual([
    [`umount '${root}/${volumeDir(gone, `it'\\''s a volume`)}/mount/sub'`, null],
    [`umount '${root}/${volumeDir(gone, `it'\\''s a volume`)}/mount'`, 'what is in it: it lives in memory'],
    ['kubelimbo check', null],
  ])
})

test('V03 sees a mount once, by whichever names of the root it shows', () => {
  const snapshot = smallNode((node) => {
    stillMounted(node)
    node.mounts.push({...mounted('', {id: 42, device: '254:0', root}), mountPoint: '/mnt/kubelet'})
    node.mounts.push({...mounted('', {id: 95, parent: 42, device: '8:32'}), mountPoint: `/mnt/kubelet/${left}/mount`})
  })
  expect(brief(snapshot)).toEqual(['V01 error', 'V03 error'])
  const remedy = findingsOf(snapshot).find(({code}) => code === 'V03')?.remedy
  expect(remedy?.map(({command}) => command)).toEqual([
    `umount ${root}/${left}/mount`,
    `umount /mnt/kubelet/${left}/mount`,
    'kubelimbo check',
  ])
})

test.each<[string, (node: SmallNode) => unknown, readonly string[]]>([
  ['long ago', (node) => Object.assign(node, {containers: []}), ['P01 error', 'V03 error']],
  ['and whose containers still run', () => {}, []],
  [
    'a moment ago',
    (node) => Object.assign(node, {containers: [], pods: node.pods.map((pod) => ({...pod, deletedAt: at(-400)}))}),
    ['P01 info'],
  ],
  ['not at all', (node) => Object.assign(node, {containers: [], pods: node.pods.map(({deletedAt, ...pod}) => pod)}), []],
])('V03 judges an inline volume of a pod that was deleted %s', (_what, change, expected) => {
  const snapshot = smallNode((node) => {
    node.pods = [runningPod('web-0', web, ['data'], {deletedAt: at(-600)})]
    node.volData[`${volumeDir(web, 'scratch')}/vol_data.json`] = podRecord('scratch', inlineHandle, 'Ephemeral')
    change(node)
  })
  expect(brief(snapshot)).toEqual(expected)
})

const tells = logLine(-900, 'many', {err: `orphaned pod "${gone}" found, but error`})
const justStarted = logLine(-60, 'Starting Kubelet Volume Manager')

test.each<[string, Partial<SmallNode>, since: number | undefined]>([
  ['its directory changed', {}, -3600],
  ['the kubelet first spoke of it, where nobody dated the directory', {dated: false, log: [tells]}, -900],
  ['its directory changed, where the kubelet spoke of it later', {log: [tells]}, -3600],
  ['the kubelet started a moment ago', {log: [tells, justStarted]}, -60],
  ['at most now, where a clock ran ahead', {modified: {[`pods/${gone}`]: 3600}}, 0],
  ['an unknown time', {dated: false}, undefined],
])('V01 and V03 say that it has been so since %s', (_what, change, since) => {
  const found = findingsOf(
    smallNode((node) => {
      stillMounted(node)
      Object.assign(node, change)
    }),
  )
  const moment = since === undefined ? undefined : formatInstant(at(since))
  expect(found.map((finding) => [finding.code, finding.since])).toEqual([
    ['V01', moment],
    ['V03', moment],
  ])
})

test.each<[string, (node: SmallNode) => unknown, version: string, words: RegExp]>([
  ['what is mounted', stillMounted, '1.36.2', /every 2s and leaves it as it is until nothing is mounted/],
  ['a record alone', record, '1.36.2', /tries to remove the directory every 2s and fails each time/],
  ['a record alone', record, '1.21.2', /leaves it as it is, as long as any volume has a directory in it/],
  ['empty directories', emptyDir, '1.36.2', /tries to remove the directory every 2s, and its log says why it fails/],
  ['empty directories', emptyDir, '1.21.2', /leaves it as it is, as long as any volume has a directory in it/],
  [
    'an empty one that is young',
    together(emptyDir, (node) => Object.assign(node, {modified: {[`pods/${gone}`]: -5}})),
    '1.36.2',
    /removes the directory within 2s/,
  ],
])('V01 says what the kubelet does next about %s (%#)', (_what, change, version, words) => {
  const [found] = findingsOf(
    smallNode((node) => void change(node)),
    version,
  )
  expect(found?.next).toMatch(words)
})

test.each<[string, (node: SmallNode) => unknown, version: string, words: RegExp]>([
  ['a mount', stillMounted, '1.36.2', /one that has forgotten it sends nothing before its next start/],
  ['an inline volume without a mount', inline, '1.36.2', /sends nothing, not even after a start/],
  ['one that it cannot tell', together(stillMounted, unreadable), '1.36.2', /tries once after a start to unmount it, and forgets it then/],
  ['one that it cannot tell', together(stillMounted, unreadable), '1.26.5', /only tries after a start to unmount it/],
])('V03 says what the kubelet does next about %s (%#)', (_what, change, version, words) => {
  const found = findingsOf(
    smallNode((node) => void change(node)),
    version,
  )
  expect(found.filter(({code}) => code === 'V03').map(({next}) => next)).toEqual([expect.stringMatching(words)])
})
