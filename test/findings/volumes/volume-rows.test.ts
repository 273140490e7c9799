import {Ajv} from 'ajv'
import {expect, test} from 'vitest'
import {type VolumeRow, volumeRows} from '../../../src/findings/volumes/volume-rows.ts'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import {blockDirs, podDeviceLink, podVolumeDir, stagingDir} from '../../../src/node/layout.ts'
import {renderVolumes} from '../../../src/render/volumes.ts'
import {generatedNode, generatedSnapshot} from '../../support/generated-node.ts'
import {openCase} from '../../support/golden-case.ts'
import {publishedSchema} from '../../support/published-schema.ts'
import {mountAt, type SnapshotParts, snapshotOf, waitingPod} from '../../support/snapshot-builder.ts'

const driver = 'd.example'
const data = {driverName: driver, volumeHandle: 'h1'}
const dir = podVolumeDir('u1', 'pv1')
const staging = stagingDir(driver, 'h1')
const onHost = (path: string) => mountAt(`/var/lib/kubelet/${path}`)
const pods = {'kubelet.pods': [waitingPod('web-0', 'u1', ['c1'], {phase: 'Running'})]}
const published = {[`${dir}/vol_data.json`]: data}

function rows(parts: SnapshotParts, version: '1.17.3' | '1.36.2' = '1.36.2'): readonly VolumeRow[] | undefined {
  return volumeRows(snapshotOf({seconds: 3600, ...parts, sources: {...pods, ...parts.sources}}), profileOf(version))
}

const mounts = (...paths: readonly string[]) => ({'kernel.mounts': [mountAt('/'), ...paths.map(onHost)]})

test.each<[string, SnapshotParts, Partial<VolumeRow>]>([
  [
    'staged and published',
    {files: [`${staging}/globalmount/`], volData: published, sources: mounts(`${staging}/globalmount`, `${dir}/mount`)},
    {stage: 'mounted', publish: 'mounted', device: '254:0', state: 'VolumeMountUncertain', pod: 'web-0', volume: 'pv1'},
  ],
  [
    'staged in the old layout',
    {
      files: ['plugins/kubernetes.io/csi/pv/pv1/globalmount/'],
      volData: published,
      sources: mounts('plugins/kubernetes.io/csi/pv/pv1/globalmount'),
    },
    {stage: 'mounted', publish: 'not mounted'},
  ],
  [
    'of a driver that mounts nothing to stage',
    {files: [`${staging}/globalmount/`], volData: published, sources: mounts(`${dir}/mount`)},
    {stage: 'directory'},
  ],
  ['of a driver that does not stage', {files: [], volData: published, sources: mounts(`${dir}/mount`)}, {stage: 'none'}],
  [
    'on a node whose mount table was not read',
    {files: [`${staging}/globalmount/`], volData: published},
    {stage: 'unknown', publish: 'unknown'},
  ],
  [
    'inline in the pod',
    {files: [], volData: {[`${dir}/vol_data.json`]: {...data, volumeLifecycleMode: 'Ephemeral'}}, sources: mounts()},
    {inline: true, stage: 'none', publish: 'not mounted'},
  ],
  [
    'raw block',
    {
      files: [podDeviceLink('u1', 'pv1'), `${blockDirs.publish('pv1')}/u1`, `${blockDirs.staging('pv1')}/`],
      volData: {[`${blockDirs.data('pv1')}/vol_data.json`]: data},
      sources: {'kernel.mounts': [{...onHost(`${blockDirs.publish('pv1')}/u1`), fsType: 'devtmpfs', device: '0:6', root: '/sdb'}]},
    },
    {mode: 'block', stage: 'directory', publish: 'mounted', device: 'sdb'},
  ],
  [
    'unreadable',
    {files: [`${dir}/mount/`], sources: mounts(`${dir}/mount`)},
    {state: 'unreadable', why: 'it has no vol_data.json', publish: 'mounted'},
  ],
  [
    'staged and forgotten',
    {files: [`${staging}/globalmount/`], volData: {[`${staging}/vol_data.json`]: data}, sources: mounts(`${staging}/globalmount`)},
    {state: 'forgotten', stage: 'mounted', publish: 'not mounted', handle: 'h1'},
  ],
  [
    'published and forgotten',
    {files: [`${blockDirs.publish('pv1')}/gone`], sources: mounts()},
    {state: 'forgotten', mode: 'block', podUid: 'gone', publish: 'not mounted'},
  ],
])('volumeRows() of a volume that is %s', (_what, parts, expected) => {
  expect(rows(parts)).toEqual([expect.objectContaining(expected)])
})

test('volumeRows() says what the kubelet believes, by its version', () => {
  const parts = {files: [], volData: published, sources: mounts(`${dir}/mount`)}
  expect([rows(parts)?.[0]?.state, rows(parts, '1.17.3')?.[0]?.state]).toEqual(['VolumeMountUncertain', 'VolumeMounted'])
})

test.each([
  ['stage-hang-terminating', 'DeviceNotMounted', 'stage-0', ['U01']],
  ['stage-hang-unanswered-after-deadline', 'unknown', 'stage-0', ['U01']],
  ['stage-hang-timed-out', 'DeviceMountUncertain', 'stage-0', ['U01']],
  ['stage-hang-on-1.17.3', 'forgotten', 'stage-0', ['U01']],
  ['blockpub-hang-timed-out', 'VolumeMountUncertain', 'pub-0', ['U02']],
  ['c03-driver-hangs', 'VolumeMounted', 'blk-0', ['C03']],
  ['v11-device-vanished', 'VolumeMounted', 'blk-0', ['V11']],
])('volumeRows() of %s: %s of %s, %j', async (name, state, pod, codes) => {
  const {snapshot, profile} = await openCase(name)
  const [first] = volumeRows(snapshot, profile) ?? []
  expect(first).toMatchObject({state, pod, codes})
})

test('volumeRows() without the directories of the kubelet are none', () => {
  expect(rows({})).toBeUndefined()
})

test('volumeRows() puts orphans last', () => {
  const parts = {files: [`${podVolumeDir('gone', 'a')}/mount/`], volData: published, sources: mounts()}
  expect(rows(parts)?.map(({podUid}) => podUid)).toEqual(['u1', 'gone'])
})

const metadata = {node: 'n', when: '2026-11-30T03:00:00Z', tool: 'kubelimbo 0.0.0'}

test('renderVolumes() prints the published shape', async () => {
  const schema = publishedSchema('volumes')
  const validate = new Ajv({strict: true, allErrors: true}).compile(schema)
  const volumes = volumeRows(generatedSnapshot(generatedNode({seed: 1, pods: 10, volumes: 60})), profileOf('1.36.2')) ?? []
  const json = JSON.parse(await renderVolumes({metadata, volumes}, 'json'))
  expect(validate(json), JSON.stringify(validate.errors)).toBe(true)
  expect(json.items.length).toBeGreaterThan(60)
})

test('renderVolumes() shows escapes of a hostile name as text', async () => {
  const hostile = {
    mode: 'block',
    inline: false,
    stage: 'none',
    publish: 'unknown',
    state: 'forgotten',
    codes: [],
    volume: 'a\u001b[2J',
  } as const
  expect(await renderVolumes({metadata, volumes: [hostile]}, 'table')).toContain(String.raw`a\x1b[2J`)
})
