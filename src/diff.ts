// What differs between two moments of a node, or between two nodes.

import {UserError} from './base/errors.ts'
import {exitCodes} from './base/exit-codes.ts'
import {formatInstant} from './base/instant.ts'
import {detect} from './findings/detect.ts'
import {detectors} from './findings/detectors.ts'
import {diffFindings, type Judged} from './findings/diff-findings.ts'
import {type DiffReport, type DiffSide, differs} from './findings/diff-report.ts'
import {whyUnusable} from './findings/usable.ts'
import {profileNearest} from './kubelet/profiles.ts'
import {asKept} from './node/bundle/as-kept.ts'
import {compareNodes, type NotCompared} from './node/diff/compare-nodes.ts'
import type {Machine} from './node/runtime-source.ts'
import type {Snapshot} from './node/snapshot.ts'
import type {SnapshotRequest} from './node/snapshot-request.ts'
import {takeSnapshot} from './node/take-snapshot.ts'

export interface DiffRequest extends Omit<SnapshotRequest, 'from' | 'now'> {
  /** A bundle. */
  readonly a: string
  /** A bundle; default: this node, now. */
  readonly b?: string
  /** 'kubelimbo 0.1.0'. */
  readonly tool: string
}

export interface Diffed {
  readonly report: DiffReport
  readonly differs: boolean
  readonly warnings: readonly string[]
}

/** @throws UserError for what is wrong with the request or a bundle, and when nothing was read on both sides. */
export async function diff({a, b, tool, ...request}: DiffRequest, machine: Machine): Promise<Diffed> {
  // One after the other: each may be large, and a bundle that cannot be opened should not cost a look at the node.
  const first = await sideOf(a, request, machine)
  const second = await sideOf(b, request, machine)
  const {compared, differences, notCompared} = compareNodes(first.snapshot, second.snapshot, whyUnusable)
  if (compared.length === 0) throw nothingCompared(notCompared)
  const found = diffFindings(first, second)
  const unknown = [...notCompared, ...found.notCompared]
  const report: DiffReport = {
    apiVersion: 'kubelimbo/v1',
    kind: 'Diff',
    metadata: {tool, a: first.side, b: second.side},
    partial: unknown.length > 0,
    differences,
    findings: found.findings,
    notCompared: unknown,
  }
  return {report, differs: differs(report), warnings: [...first.warnings, ...second.warnings]}
}

interface Side extends Judged {
  readonly side: DiffSide
  readonly warnings: readonly string[]
}

async function sideOf(bundle: string | undefined, request: Omit<DiffRequest, 'a' | 'b' | 'tool'>, machine: Machine): Promise<Side> {
  const from = bundle === undefined ? {} : {from: bundle}
  const {snapshot: taken, warnings} = await takeSnapshot({...request, ...from, keepReplies: true}, machine)
  const snapshot = asKept(taken)
  return {
    side: {...(bundle !== undefined && {bundle}), node: snapshot.node, when: formatInstant(snapshot.when)},
    snapshot,
    detection: detectionOf(snapshot),
    warnings,
  }
}

function detectionOf(snapshot: Snapshot): Judged['detection'] {
  return detect(snapshot, profileNearest(snapshot.kubeletVersion), detectors)
}

function nothingCompared(notCompared: readonly NotCompared[]): UserError {
  const [first] = notCompared
  const why = first === undefined ? 'none is' : `none is, and ${first.source} is not in ${first.side.toUpperCase()}: ${first.why}`
  return new UserError(`Cannot tell what differs as a source must be read on both sides: ${why}`, {
    hint: '`kubelimbo doctor` says what can be seen of this node',
    exit: exitCodes.blind,
  })
}
