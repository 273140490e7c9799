// One root cause is one finding: those that follow from it name it.
import type {Finding} from './finding.ts'
import {findingKey} from './finding-key.ts'

/** Of a volume that only its driver could put right. */
const waitForDriver: ReadonlySet<string> = new Set(['U01', 'U02', 'V03', 'V04', 'V05', 'V11'])
const aboutDrivers: ReadonlySet<string> = new Set(['C01', 'C02', 'C03'])
/** Of a socket that somebody listens on, or not. */
const aboutSockets: ReadonlySet<string> = new Set(['C02', 'C03'])

/** The findings, each volume's with the finding about its driver as cause; a cause that is not among them is dropped. */
export function withCauses(findings: readonly Finding[]): Finding[] {
  const drivers = new Map<string, Finding>()
  for (const finding of findings) {
    const {driver} = finding.subject
    if (aboutDrivers.has(finding.code) && driver !== undefined) drivers.set(driver, finding)
  }
  // A directory whose subPaths are still mounted cannot go before they are.
  const subpaths = new Map(
    findings.flatMap((each) => (each.code === 'V10' && each.subject.podUid !== undefined ? [[each.subject.podUid, each]] : [])),
  )
  const takeovers = new Map(
    findings.flatMap((each) => (each.code === 'T01' && each.subject.path !== undefined ? [[each.subject.path, each]] : [])),
  )
  const told = new Set(findings.map(findingKey))
  return findings.map((finding) => {
    if (finding.cause !== null) return told.has(findingKey(finding.cause)) ? finding : {...finding, cause: null}
    const {driver, uid, path} = finding.subject
    const cause =
      finding.code === 'V01'
        ? subpaths.get(uid ?? '')
        : aboutSockets.has(finding.code)
          ? takeovers.get(path ?? '')
          : driver !== undefined && waitForDriver.has(finding.code)
            ? drivers.get(driver)
            : undefined
    return cause === undefined ? finding : {...finding, cause: {code: cause.code, subject: cause.subject}}
  })
}
