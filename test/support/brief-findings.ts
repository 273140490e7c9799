// What a check finds, in as few words as a table of tests can bear.
import {detect} from '../../src/findings/detect.ts'
import {detectors} from '../../src/findings/detectors.ts'
import {profileOf} from '../../src/kubelet/profiles.ts'
import type {Snapshot} from '../../src/node/snapshot.ts'

export function findingsOf(snapshot: Snapshot, version = '1.36.2') {
  return detect(snapshot, profileOf(version), detectors).findings
}

/** 'V01 error', most severe first. */
export function brief(snapshot: Snapshot, version?: string): string[] {
  return findingsOf(snapshot, version).map(({code, severity}) => `${code} ${severity}`)
}
