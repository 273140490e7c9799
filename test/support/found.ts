// What `check` finds on a snapshot made by hand.
import {detect} from '../../src/findings/detect.ts'
import {detectors} from '../../src/findings/detectors.ts'
import {profileOf} from '../../src/kubelet/profiles.ts'
import {type SnapshotParts, snapshotOf} from './snapshot-builder.ts'

/** All that a check says when it has this one detector. */
export function detectionOf(code: string, parts: SnapshotParts) {
  return detect(
    snapshotOf(parts),
    profileOf('1.36.2'),
    detectors.filter((each) => each.code === code),
  )
}

export function findingsOf(code: string, parts: SnapshotParts, more: {readonly kubeletRootReal?: string} = {}) {
  return detect({...snapshotOf(parts), ...more}, profileOf('1.36.2'), detectors).findings.filter((finding) => finding.code === code)
}

export function reportFrom(parts: SnapshotParts) {
  return detect(snapshotOf(parts), profileOf('1.36.2'), detectors)
}

/** The severities of the findings of a code. */
export function severitiesOf(code: string, parts: SnapshotParts, more: {readonly kubeletRootReal?: string} = {}) {
  return findingsOf(code, parts, more).map(({severity}) => severity)
}
