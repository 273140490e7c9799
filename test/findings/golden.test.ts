// Each folder of fixtures/findings is a case: a captured node, what is changed about it, and the report. `vitest -u` writes the reports anew.
import {readdirSync, readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {parse} from 'yaml'
import {detect} from '../../src/findings/detect.ts'
import {detectors} from '../../src/findings/detectors.ts'
import {type CheckReport, checkReport} from '../../src/findings/report.ts'
import {profileNearest, profileOf} from '../../src/kubelet/profiles.ts'
import {openBundle} from '../../src/node/bundle.ts'
import {changedNode, type NodeChange} from '../support/changed-node.ts'

interface Case extends NodeChange {
  readonly node: string
  readonly profile?: string
}

const folder = 'fixtures/findings'
const names = readdirSync(folder)

async function reportOf(name: string): Promise<CheckReport> {
  const {node, profile, ...change} = parse(readFileSync(`${folder}/${name}/case.yaml`, 'utf8')) as Case
  const snapshot = changedNode(await openBundle(`fixtures/nodes/${node}`), change)
  const chosen = profile === undefined ? profileNearest(snapshot.kubeletVersion) : profileOf(profile)
  return checkReport(detect(snapshot, chosen, detectors), snapshot, 'kubelimbo 0.0.0')
}

test.each(names)('check of %s gives its report', async (name) => {
  await expect(`${JSON.stringify(await reportOf(name), null, 2)}\n`).toMatchFileSnapshot(`../../${folder}/${name}/report.json`)
})

// What must be found, said apart from the golden files: a rewritten golden cannot lose it.
test.each([
  ['stage-hang-terminating', 'U01', 'info', 'pv1'],
  ['stage-hang-without-log', 'U01', 'info', undefined],
  ['stage-hang-without-kubelet-pods', 'U01', 'info', 'pv1'],
  ['stage-hang-unanswered-after-deadline', 'U01', 'warning', 'pv1'],
  ['stage-hang-on-1.17.3', 'U01', 'error', 'pv1'],
  ['blockpub-hang-terminating', 'U02', 'info', 'pv2'],
  ['blockpub-hang-without-log', 'U02', 'info', 'pv2'],
  ['blockpub-hang-later', 'U02', 'warning', 'pv2'],
])('check of %s finds %s as %s with %s and nothing else', async (name, code, severity, volume) => {
  const {findings} = await reportOf(name)
  expect(findings.map((finding) => [finding.code, finding.severity, finding.subject.name])).toEqual([[code, severity, volume]])
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

test.each(names.filter((name) => /^(healthy|after-delete|runtime-errors)/.test(name)))('check of %s finds nothing', async (name) => {
  const {findings, looked} = await reportOf(name)
  expect(looked).toEqual(expect.arrayContaining(['U01', 'U02', 'V01', 'V02', 'V03', 'V04', 'V05', 'V06', 'V07']))
  expect(findings).toEqual([])
})

test('check without a list of pods looks for nothing but what the mount table alone tells', async () => {
  expect((await reportOf('stage-hang-blind')).looked).toEqual(['V07'])
})
