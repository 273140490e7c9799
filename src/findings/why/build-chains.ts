// Chains of a symptom: each finding with its causes, with the reason that it explains put before it; and reasons that nothing explains.
import type {Finding, Remedy} from '../finding.ts'
import {severities} from '../finding.ts'
import {type Chain, type Link, linkOf, type Reason, type Standing} from './chain.ts'
import {followCauses, leavesOf} from './follow-causes.ts'

interface Parts {
  readonly symptom: readonly Link[]
  readonly reasons: readonly Reason[]
  /** What has to do with it. */
  readonly findings: readonly Finding[]
  /** Where causes are looked up. */
  readonly all: readonly Finding[]
}

export interface Built {
  readonly chains: readonly Chain[]
  readonly standing: Standing
}

/** What is wrong with the records of a pod keeps no pod from starting or ending. */
const asides: ReadonlySet<string> = new Set(['P02', 'P03', 'P04', 'R10'])

/** @param troubled whether the symptom asks for an explanation at all. */
export function buildChains({symptom, reasons, findings: about, all}: Parts, troubled: boolean): Built {
  const findings = troubled ? about.filter(({code}) => !asides.has(code)) : about
  const told = leavesOf(findings).map((leaf) => followCauses(leaf, all))
  const used = new Set<Reason>()
  const explained = told.map((chain) => {
    const place = placeOf(chain, reasons)
    if (place !== undefined) used.add(place.reason)
    return {worst: Math.min(...chain.map(({severity}) => severities.indexOf(severity))), chain: chainOf(symptom, chain, place)}
  })
  const alone = reasons
    .filter((reason) => !used.has(reason))
    .toSorted((a, b) => Number(b.overdue ?? false) - Number(a.overdue ?? false))
    .map((reason) => chainOf(symptom, [], {reason, at: 0}))
  const chains = [...explained.toSorted((a, b) => a.worst - b.worst).map(({chain}) => chain), ...alone]
  const worst = Math.min(...explained.map((each) => each.worst), severities.length)
  const besides = about
    .filter((finding) => !findings.includes(finding))
    .map((finding) => chainOf(symptom, followCauses(finding, all), undefined))
  return {chains: [...chains, ...besides], standing: standingOf(worst, reasons, chains.length, troubled)}
}

function standingOf(worst: number, reasons: readonly Reason[], chains: number, troubled: boolean): Standing {
  if (worst <= severities.indexOf('warning') || reasons.some(({overdue}) => overdue)) return 'stuck'
  if (!troubled) return 'well'
  if (reasons.length > 0 && reasons.every(({elsewhere}) => elsewhere === true) && worst === severities.length) return 'elsewhere'
  return chains > 0 ? 'waits' : 'unknown'
}

interface Place {
  readonly reason: Reason
  /** The finding before which it stands. */
  readonly at: number
}

function placeOf(chain: readonly Finding[], reasons: readonly Reason[]): Place | undefined {
  for (const reason of reasons) {
    const at = chain.findIndex(({subject}) => matches(reason, subject))
    if (at !== -1) return {reason, at}
  }
  // P01 that names nothing as its cause: what the pod waits for is behind it.
  const [last] = chain.slice(-1)
  const [reason] = reasons
  return last?.code === 'P01' && reason !== undefined ? {reason, at: chain.length} : undefined
}

function matches({about}: Reason, {driver, handle, kind, name, podUid}: Finding['subject']): boolean {
  if (about.volumesOf !== undefined && kind === 'Volume' && podUid === about.volumesOf) return true
  if (about.container !== undefined) return kind === 'Container' && name === about.container
  if (about.driver === undefined) return false
  return driver === about.driver && (handle === undefined || handle === about.handle)
}

function chainOf(symptom: readonly Link[], findings: readonly Finding[], place: Place | undefined): Chain {
  const links = findings.map(linkOf)
  const reason = place === undefined ? [] : [place.reason]
  const at = place?.at ?? 0
  const remedies = [...findings.toReversed().flatMap(({remedy}) => remedy), ...reason.flatMap(({remedy}) => remedy)]
  return {
    links: [...symptom, ...links.slice(0, at), ...reason.flatMap((each) => each.links), ...links.slice(at)],
    next: [...new Set([...reason.flatMap(({next}) => next), ...findings.flatMap(({next}) => next ?? [])])],
    remedy: onceEach(remedies),
  }
}

function onceEach(remedies: readonly Remedy[]): readonly Remedy[] {
  return [...new Map(remedies.map((remedy) => [remedy.command, remedy])).values()]
}
