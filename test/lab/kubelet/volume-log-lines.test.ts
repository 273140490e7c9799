// What the readers of src/kubelet/volumes make of the lines: they were written for those of real kubelets.
import {expect, test} from 'vitest'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import {orphanLines} from '../../../src/kubelet/traces/orphan-lines.ts'
import {traceOf} from '../../../src/kubelet/traces/trace.ts'
import {kubeletLog} from '../../../src/lab/kubelet/kubelet-log-lines.ts'
import type {Event, LogEvent} from '../../../src/timeline/event.ts'

const at = Date.UTC(2026, 0, 1)
const uid = 'a9f1943e-10cc-42ee-9b9d-1515a406cfae'
const fields = {volume: 'pv1', uniqueName: 'kubernetes.io/csi/d.example^h1'}
const pod: Event = {kind: 'object', at, type: 'ADDED', pod: 'default/web', uid, object: {}}
const line = (text: string, more: Partial<LogEvent> = {}): Event => ({kind: 'log', at: at + 1000, text, fields, ...more})
const ofPod = {pod: 'default/web'}

const linesOf = (event: Event, version: string) =>
  kubeletLog({profile: profileOf(version), node: 'lab', events: [pod, event], restarts: []})(at + 5000)
const callsOf = (event: Event, version: string) => traceOf(linesOf(event, version)).calls

const failure = (operation: string, error: string, more: Partial<LogEvent> = {}) =>
  line('Operation failed. No retries permitted', {fields: {...fields, operation, durationBeforeRetry: 500, error}, ...more})
const timeout = 'rpc error: code = DeadlineExceeded desc = context deadline exceeded'
const failed = {state: 'failed', at: at + 1000, code: 'DeadlineExceeded', retryAt: at + 1500}
const volume = {driver: 'd.example', handle: 'h1'}

const steps: readonly (readonly [string, Event, object])[] = [
  [
    'a stage that timed out',
    failure('mount_volume', `MountVolume.MountDevice failed: ${timeout}`, ofPod),
    {method: 'NodeStageVolume', ...volume, podUid: uid, end: failed},
  ],
  [
    'a raw block volume whose stage timed out',
    failure('map_volume', `MapVolume.SetUpDevice failed: ${timeout}`, ofPod),
    {method: 'NodeStageVolume', ...volume, end: failed},
  ],
  [
    'a publish that timed out',
    failure('mount_volume', `MountVolume.SetUp failed: ${timeout}`, ofPod),
    {method: 'NodePublishVolume', ...volume, podUid: uid, end: failed},
  ],
  [
    'an unpublish that failed',
    failure('unmount_volume', `UnmountVolume.TearDown failed: ${timeout}`, ofPod),
    {method: 'NodeUnpublishVolume', ...volume, podUid: uid, end: failed},
  ],
  [
    'an unstage that failed',
    failure('unmount_device', `UnmountDevice failed: ${timeout}`),
    {method: 'NodeUnstageVolume', ...volume, end: failed},
  ],
  [
    'a stage that went well',
    line('MountVolume.MountDevice succeeded', ofPod),
    {method: 'NodeStageVolume', ...volume, end: {state: 'ok', at: at + 1000}},
  ],
  [
    'an unpublish that is on its way',
    line('operationExecutor.UnmountVolume started', ofPod),
    {method: 'NodeUnpublishVolume', podUid: uid, end: {state: 'open'}},
  ],
  [
    'an unpublish that went well',
    line('UnmountVolume.TearDown succeeded', ofPod),
    {method: 'NodeUnpublishVolume', ...volume, podUid: uid, end: {state: 'ok'}},
  ],
  [
    'an unstage that is on its way',
    line('operationExecutor.UnmountDevice started'),
    {method: 'NodeUnstageVolume', ...volume, end: {state: 'open'}},
  ],
  ['an unstage that went well', line('UnmapDevice succeeded'), {method: 'NodeUnstageVolume', ...volume, end: {state: 'ok', at: at + 1000}}],
]

test.each(
  steps.flatMap(([what, event, call]) => ['1.17.3', '1.18.2', '1.21.2', '1.36.2'].map((version) => [what, version, event, call] as const)),
)('volumeLine() of %s reads so on %s', (_, version, event, call) => {
  expect(callsOf(event, version)).toMatchObject([call])
})

test.each(['1.17.3', '1.21.2', '1.36.2'])('volumeLine() of %s names the volume, and tells when the kubelet let go of it', (version) => {
  expect(traceOf(linesOf(line('operationExecutor.MountVolume started', ofPod), version)).names).toEqual([
    {specName: 'pv1', ...volume, podUid: uid},
  ])
  expect(traceOf(linesOf(line('Volume detached'), version)).detached).toEqual([{...volume, at: at + 1000}])
})

test.each(['1.17.3', '1.21.2', '1.36.2'])('volumeLine() of %s tells of an orphaned directory', (version) => {
  const err = `orphaned pod "${uid}" found, but volume paths are still present on disk`
  const event = line('There were many similar errors. Turn up verbosity to see them.', {fields: {err, numErrs: 1}})
  const lines = linesOf(event, version)
  expect(orphanLines(lines).get(uid)).toMatchObject({first: at + 1000, count: 1})
  expect(lines.at(-1)?.message).toBe(
    version === '1.17.3'
      ? `${err} : There were a total of 1 errors similar to this. Turn up verbosity to see them.`
      : 'There were many similar errors. Turn up verbosity to see them.',
  )
})

test('volumeLine() leaves out what is logged at a higher level', () => {
  expect(linesOf(line('Removing volume from desired state', ofPod), '1.36.2')).toEqual([])
})
