// Each folder of fixtures/findings is a case: a captured node, what is changed about it, and the report. `vitest -u` writes the reports anew.
import {expect, test} from 'vitest'
import {detect} from '../../src/findings/detect.ts'
import {detectors} from '../../src/findings/detectors.ts'
import {type CheckReport, checkReport} from '../../src/findings/report.ts'
import {goldenFolder as folder, goldenCases as names, openCase} from '../support/golden-case.ts'

async function reportOf(name: string): Promise<CheckReport> {
  const {snapshot, profile} = await openCase(name)
  return checkReport(detect(snapshot, profile, detectors), snapshot, 'kubelimbo 0.0.0')
}

test.each(names)('check of %s gives its report', async (name) => {
  await expect(`${JSON.stringify(await reportOf(name), null, 2)}\n`).toMatchFileSnapshot(`../../${folder}/${name}/report.json`)
})

// What must be found, said apart from the golden files: a rewritten golden cannot lose it.
test.each([
  ['stage-hang-terminating', 'U01', 'info', 'pv1'],
  ['stage-hang-without-log', 'U01', 'info', undefined],
  ['stage-hang-without-kubelet-pods', 'U01', 'info', 'pv1'],
  ['stage-hang-unanswered-after-deadline', 'U01', 'info', 'pv1'],
  ['stage-hang-timed-out', 'U01', 'warning', 'pv1'],
  ['stage-hang-on-1.17.3', 'U01', 'error', 'pv1'],
  ['blockpub-hang-terminating', 'U02', 'info', 'pv2'],
  ['blockpub-hang-without-log', 'U02', 'info', 'pv2'],
  ['blockpub-hang-later', 'U02', 'info', 'pv2'],
  ['blockpub-hang-timed-out', 'U02', 'warning', 'pv2'],
])('check of %s finds %s as %s with %s, and nothing else but the pod that it holds', async (name, code, severity, volume) => {
  const {findings} = await reportOf(name)
  const others = findings.filter((finding) => finding.code !== 'P01' || finding.cause?.code !== code)
  expect(others.map((finding) => [finding.code, finding.severity, finding.subject.name])).toEqual([[code, severity, volume]])
})

// Whole reports are golden files; this is what each case is for: code, severity, what it is about, and the code of its cause.
test.each([
  ['v09-nfs-server-slow-or-gone', [['V09', 'warning', 'data', undefined]]],
  [
    'v09-nfs-server-gone-kubelet-stuck',
    [
      ['K02', 'critical', 'n1', 'V09'],
      ['V09', 'critical', 'data', undefined],
    ],
  ],
  [
    'v09-fuse-daemon-died-with-its-driver',
    [
      ['C02', 'error', 'hostpath.csi.k8s.io', undefined],
      ['V09', 'error', 'pv1', 'C02'],
    ],
  ],
  ['v09-disk-detached', [['V09', 'error', 'pv1', undefined]]],
  [
    'v10-subpath-of-hostpath',
    [
      ['V10', 'critical', '0f0f0f0f-1111-4222-8333-444444444444', undefined],
      ['V01', 'error', undefined, 'V10'],
    ],
  ],
  [
    'v10-subpath-of-another-disk',
    [
      ['V01', 'error', undefined, 'V10'],
      ['V10', 'error', '0f0f0f0f-1111-4222-8333-444444444444', undefined],
    ],
  ],
  ['v10-configmap-updated', [['V10', 'info', '59ee3536-836b-4a14-9dba-b0b55d1e0987', undefined]]],
  ['v11-still-referenced', [['V11', 'error', 'pv2', undefined]]],
  ['v11-device-vanished', [['V11', 'error', 'pv2', undefined]]],
  ['c01-driver-removed', [['C01', 'error', 'hostpath.csi.k8s.io', undefined]]],
  ['c01-driver-renamed', [['C01', 'error', 'hostpath.csi.k8s.io', undefined]]],
  ['c01-node-just-started', [['C01', 'info', 'hostpath.csi.k8s.io', undefined]]],
  ['c02-node-was-switched-off', [['C02', 'error', 'hostpath.csi.k8s.io', undefined]]],
  ['t01-in-force', [['T01', 'info', undefined, undefined]]],
  [
    't01-holder-gone',
    [
      ['C02', 'error', 'hostpath.csi.k8s.io', 'T01'],
      ['T01', 'error', undefined, undefined],
    ],
  ],
  [
    't01-left-in-many-ways',
    [
      ['T01', 'error', undefined, undefined],
      ['T01', 'error', undefined, undefined],
      ['T01', 'error', undefined, undefined],
      ['T01', 'warning', undefined, undefined],
      ['T01', 'warning', undefined, undefined],
      ['T01', 'warning', undefined, undefined],
      ['T01', 'warning', undefined, undefined],
      ['T01', 'info', undefined, undefined],
      ['T01', 'info', undefined, undefined],
      ['T01', 'info', undefined, undefined],
    ],
  ],
  ['c02-registration-left-behind', [['C02', 'warning', 'old.example', undefined]]],
  [
    'r02-sandboxes-left-for-an-hour',
    [
      ['P01', 'error', 'web-0', undefined],
      ['R02', 'warning', 'blk-0', undefined],
      ['R02', 'warning', 'inline-0', undefined],
    ],
  ],
  ['r02-older-attempt-after-reboot', [['R02', 'warning', 'inline-0', undefined]]],
  [
    'r03-deleted-by-force',
    [
      ['R03', 'critical', 'blk-0', undefined],
      ['R02', 'error', 'blk-0', 'R03'],
    ],
  ],
  [
    'r03-deleted-by-force-a-moment-ago',
    [
      ['R02', 'info', 'blk-0', 'R03'],
      ['R03', 'info', 'blk-0', undefined],
    ],
  ],
  ['r03-forgotten-by-the-runtime', [['R03', 'critical', 'inline-0', undefined]]],
  ['r06-two-copies', [['R06', 'critical', 'app', undefined]]],
  ['c03-driver-hangs', [['C03', 'error', 'hostpath.csi.k8s.io', undefined]]],
  ['k02-kubelet-hangs-at-start', [['K02', 'error', 'n1', undefined]]],
  ['r01-list-containers-hangs', [['R01', 'critical', 'containerd', undefined]]],
  ['r01-container-status-hangs', [['R01', 'error', 'app', undefined]]],
  ['r08-running-for-ever', [['R08', 'error', 'app', undefined]]],
  ['r10-clock-stepped-back', [['R10', 'error', 'inline-0', undefined]]],
  ['r10-created-at-zero', [['R10', 'warning', 'app', undefined]]],
  ['a2-reason-cache', [['P01', 'error', 'never-0', undefined]]],
  [
    'terminating-vol-data-empty',
    [
      ['P01', 'error', 'web-0', 'V02'],
      ['V02', 'error', 'pv1', undefined],
    ],
  ],
  [
    'terminating-driver-gone',
    [
      ['C01', 'error', 'hostpath.csi.k8s.io', undefined],
      ['P01', 'error', 'web-0', 'C01'],
    ],
  ],
  // Nothing that was captured holds it, and it stays: with nothing but time gone by, that is what the lists say.
  ['after-delete-an-hour-later', [['P01', 'error', 'web-0', undefined]]],
  ['status-names-another-container', [['P02', 'warning', 'main', undefined]]],
  ['made-up-success', [['P03', 'error', 'main', undefined]]],
  ['fallback-exit-137', [['P03', 'warning', 'main', undefined]]],
  [
    'terminal-pod-still-running',
    [
      ['P03', 'error', 'main', undefined],
      ['P04', 'error', 'late-0', 'P03'],
    ],
  ],
])('check of %s finds that and nothing else', async (name, expected) => {
  const {findings} = await reportOf(name)
  expect(
    findings.map(({code, severity, subject, cause}) => [code, severity, subject.name ?? subject.driver ?? subject.podUid, cause?.code]),
  ).toEqual(expected)
})

// Deletion was due 8 to 20 s before the captures, and one to ten minutes before what is made of them.
test.each([
  ['stage-hang-terminating', []],
  ['blockpub-hang-terminating', []],
  ['stage-hang-timed-out', ['info U01']],
  ['blockpub-hang-timed-out', ['info U02']],
  ['blockpub-hang-later', ['info U02']],
  ['stage-hang-unanswered-after-deadline', ['error U01']],
])('check of %s finds the pod that should be gone: %j', async (name, expected) => {
  const {findings} = await reportOf(name)
  expect(findings.flatMap(({code, severity, cause}) => (code === 'P01' ? [`${severity} ${cause?.code}`] : []))).toEqual(expected)
})

test.each([
  ['orphan-still-mounted', ['V01 error', 'V03 error']],
  ['orphan-record-alone', ['V01 warning']],
  ['vol-data-empty', ['V02 error']],
  ['staging-stranded', ['V04 warning']],
  ['staging-stranded-block', ['V04 error']],
  ['staging-missing', ['V05 error']],
  ['volume-bare', ['V06 critical']],
  ['mounts-stacked', ['V07 error']],
])('check of %s finds %j and nothing else', async (name, expected) => {
  const {findings} = await reportOf(name)
  expect(findings.map(({code, severity}) => `${code} ${severity}`)).toEqual(expected)
})

test.each(names.filter((name) => /^(healthy|after-delete$|runtime-errors)/.test(name)))('check of %s finds nothing', async (name) => {
  const {findings, looked} = await reportOf(name)
  expect(looked).toEqual(expect.arrayContaining(['U01', 'U02', 'V02', 'V05', 'V06', 'V07']))
  expect(findings).toEqual([])
})

test('check with every source looks for every code', async () => {
  expect((await reportOf('healthy-with-every-source')).looked).toEqual(detectors.map(({code}) => code))
})

test('check without a list of pods looks for nothing but what the mount table and the runtime alone tell', async () => {
  expect((await reportOf('stage-hang-blind')).looked).toEqual(['R06', 'R08', 'R10', 'V07'])
})
