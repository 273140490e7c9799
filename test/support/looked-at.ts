// A lab's node whose time goes in steps, with a look after each, and a second one 5 s later where `check` takes one: what it finds there at any moment.
import {type Detection, detect} from '../../src/findings/detect.ts'
import {detectors} from '../../src/findings/detectors.ts'
import type {Finding} from '../../src/findings/finding.ts'
import {confirmed, secondLookMs, youngOf} from '../../src/findings/look-again.ts'
import {profileNearest} from '../../src/kubelet/profiles.ts'
import type {LabNode} from '../../src/lab/lab-node.ts'

export interface LabLook extends Detection {
  /** Milliseconds since 1970. */
  readonly at: number
}

function lookAt(node: LabNode): LabLook {
  const snapshot = node.snapshot()
  return {at: node.now(), ...detect(snapshot, profileNearest(snapshot.kubeletVersion), detectors)}
}

/** @param stepMs between two looks, by how long they have gone on @param onLook hears of each 5 s later, in their order */
export function lookedAt(node: LabNode, stepMs: (goneMs: number) => number, onLook: (look: LabLook) => void): LabNode {
  const start = node.now()
  let next = start + stepMs(0)
  const waiting: LabLook[] = []
  const run = async (until: number) => {
    for (;;) {
      const [first] = waiting
      const stop = Math.min(next, first === undefined ? Number.POSITIVE_INFINITY : first.at + secondLookMs)
      if (stop > until) break
      await node.run(stop)
      const look = lookAt(node)
      if (first !== undefined && stop >= first.at + secondLookMs) {
        waiting.shift()
        onLook({...first, ...confirmed(first, youngOf(first.findings, first.at, detectors), look)})
      }
      if (stop < next) continue
      waiting.push(look)
      next = stop + stepMs(stop - start)
    }
    await node.run(until)
  }
  return {...node, run}
}

/** 'P03 error', each once, in the order of their first sight. */
export const kindsOf = (findings: readonly Finding[]): readonly string[] => [
  ...new Set(findings.map(({code, severity}) => `${code} ${severity}`)),
]
