// A lab's node whose time goes in steps, with a look after each: what `check` finds there at any moment.
import {detect} from '../../src/findings/detect.ts'
import {detectors} from '../../src/findings/detectors.ts'
import type {Finding} from '../../src/findings/finding.ts'
import {profileNearest} from '../../src/kubelet/profiles.ts'
import type {LabNode} from '../../src/lab/lab-node.ts'
import type {Snapshot} from '../../src/node/snapshot.ts'

export interface LabLook {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly snapshot: Snapshot
  readonly looked: readonly string[]
  readonly findings: readonly Finding[]
}

function lookAt(node: LabNode): LabLook {
  const snapshot = node.snapshot()
  return {at: node.now(), snapshot, ...detect(snapshot, profileNearest(snapshot.kubeletVersion), detectors)}
}

/** @param stepMs between two looks */
export function lookedAt(node: LabNode, stepMs: number, onLook: (look: LabLook) => void): LabNode {
  let next = node.now() + stepMs
  const run = async (until: number) => {
    for (; next <= until; next += stepMs) {
      await node.run(next)
      onLook(lookAt(node))
    }
    await node.run(until)
  }
  return {...node, run}
}

/** 'P03 error', each once, in the order of their first sight. */
export const kindsOf = (findings: readonly Finding[]): readonly string[] => [
  ...new Set(findings.map(({code, severity}) => `${code} ${severity}`)),
]
