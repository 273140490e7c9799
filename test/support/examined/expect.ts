// What a report must and must not have.
import {expect} from 'vitest'
import {detect} from '../../../src/findings/detect.ts'
import {detectors} from '../../../src/findings/detectors.ts'
import {type CheckReport, checkReport} from '../../../src/findings/report.ts'
import {profileNearest} from '../../../src/kubelet/profiles.ts'
import type {Snapshot} from '../../../src/node/snapshot.ts'
import {wrongCauses} from './causes.ts'
import type {ExaminedNode} from './node.ts'
import {changesSomething, deletesTrees, wordsOf} from './shell.ts'

type Reported = CheckReport['findings'][number]
export type Expected = readonly [code: string, severity: string, subject?: Readonly<Record<string, string>>]

export function reportOf(node: ExaminedNode | Snapshot): CheckReport {
  const snapshot = 'snapshot' in node ? node.snapshot() : node
  const report = checkReport(detect(snapshot, profileNearest(snapshot.kubeletVersion), detectors), snapshot, 'kubelimbo 0.0.0')
  expect(wrongCauses(report)).toEqual([])
  for (const {code, severity, remedy} of report.findings)
    for (const {command} of remedy) {
      expect(deletesTrees(command), `${code}: ${command}`).toBe(false)
      expect(() => wordsOf(command), `${code}: ${command}`).not.toThrow()
      if (severity === 'info') expect(changesSomething(command), `${code}: ${command}`).toBe(false)
    }
  return report
}

const isAboveInfo = ({severity}: Reported) => severity !== 'info'
const short = ({code, severity, message}: Reported) => `${code} ${severity}: ${message}`

/** Above info there is exactly this. */
export function expectOnly(node: ExaminedNode | Snapshot, ...expected: readonly Expected[]): CheckReport {
  const report = reportOf(node)
  const found = report.findings.filter(isAboveInfo)
  const said = found.map(short).join('\n')
  expect(found.map(({code, severity}) => `${code} ${severity}`).toSorted(), said).toEqual(
    expected.map(([code, severity]) => `${code} ${severity}`).toSorted(),
  )
  for (const [code, severity, subject] of expected)
    if (subject !== undefined)
      expect(found.filter((each) => each.code === code && each.severity === severity).map((each) => each.subject)).toContainEqual(
        expect.objectContaining(subject),
      )
  return report
}

/** Nothing at all is found. */
export function expectSilent(node: ExaminedNode | Snapshot): CheckReport {
  const report = reportOf(node)
  expect(report.findings.map(short)).toEqual([])
  return report
}

/** Nothing above info is found; the code may be there as info. */
export function expectAtMostInfo(node: ExaminedNode | Snapshot): CheckReport {
  const report = reportOf(node)
  expect(report.findings.filter(isAboveInfo).map(short)).toEqual([])
  return report
}

export function expectNone(node: ExaminedNode | Snapshot, code: string): CheckReport {
  const report = reportOf(node)
  expect(report.findings.filter((each) => each.code === code).map(short)).toEqual([])
  return report
}

/** Every word of the commands of a code that names a path, after the shell took its quotes away. */
export function pathsIn(report: CheckReport, code: string): string[] {
  const commands = report.findings.filter((each) => each.code === code).flatMap(({remedy}) => remedy.map(({command}) => command))
  return commands.flatMap(wordsOf).filter((word) => word.startsWith('/'))
}

export function unseenOf(report: CheckReport, source: string): string {
  return report.unseen
    .filter((each) => each.source === source)
    .map(({why}) => why)
    .join('; ')
}
