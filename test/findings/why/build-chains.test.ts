import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {type Finding, type Severity, severities} from '../../../src/findings/finding.ts'
import {buildChains} from '../../../src/findings/why/build-chains.ts'
import type {Link, Reason} from '../../../src/findings/why/chain.ts'
import {followCauses, leavesOf} from '../../../src/findings/why/follow-causes.ts'

function finding(code: string, severity: Severity, cause?: Finding, subject: Finding['subject'] = {kind: 'Pod', name: 'a'}): Finding {
  return {
    code,
    name: 'test',
    severity,
    subject,
    message: code,
    next: `${code} goes on`,
    evidence: [{source: 'disk.entries', fact: 'x'}],
    cause: cause === undefined ? null : {code: cause.code, subject: cause.subject},
    remedy: [{command: `mend ${code}`, why: 'it helps', loses: null}],
    links: [],
  }
}

const symptom: Link = {what: 'it hangs', evidence: []}
const driver = finding('C02', 'error', undefined, {kind: 'Driver', driver: 'd.example'})
const stuck = finding('P01', 'error', driver)

function reason(about: Reason['about'], more: Partial<Reason> = {}): Reason {
  return {links: [{what: 'its volume is published', evidence: []}], next: ['it tries again'], remedy: [], about, ...more}
}

function told(findings: readonly Finding[], reasons: readonly Reason[], troubled = true) {
  const {chains, standing} = buildChains({symptom: [symptom], reasons, findings, all: findings}, troubled)
  return {chains: chains.map(({links}) => links.map(({what}) => what)), standing, first: chains[0]}
}

describe('buildChains()', () => {
  test('buildChains() goes from the symptom over the pod and its volume to the driver, and mends the root first', () => {
    const {chains, standing, first} = told([driver, stuck], [reason({driver: 'd.example', handle: 'h1'})])
    expect(chains).toEqual([['it hangs', 'P01', 'its volume is published', 'C02']])
    expect(standing).toBe('stuck')
    expect(first?.remedy.map(({command}) => command)).toEqual(['mend C02', 'mend P01'])
    expect(first?.next).toEqual(['it tries again', 'P01 goes on', 'C02 goes on'])
  })

  test.each<[what: string, findings: readonly Finding[], reasons: readonly Reason[], troubled: boolean, standing: string]>([
    ['nothing', [], [], false, 'well'],
    ['nothing, although something is wrong', [], [], true, 'unknown'],
    ['a reason', [], [reason({})], true, 'waits'],
    ["a reason that is somebody else's", [], [reason({}, {elsewhere: true})], true, 'elsewhere'],
    ['a reason here and one elsewhere', [], [reason({}), reason({}, {elsewhere: true})], true, 'waits'],
    ['a reason that is long overdue', [], [reason({}, {overdue: true})], true, 'stuck'],
    ['an info', [finding('U01', 'info')], [], true, 'waits'],
    ['an info about a healthy pod', [finding('V10', 'info')], [], false, 'well'],
    ['a warning about a healthy pod', [finding('P03', 'warning')], [], false, 'stuck'],
    ['an info and a finalizer', [finding('U01', 'info')], [reason({}, {elsewhere: true})], true, 'waits'],
  ])('buildChains() with %s stands as it should', (_what, findings, reasons, troubled, standing) => {
    expect(told(findings, reasons, troubled).standing).toBe(standing)
  })

  test('buildChains() tells each reason once, the gravest first', () => {
    const volume = finding('V02', 'error', undefined, {kind: 'Volume', driver: 'd.example', handle: 'h1', podUid: 'u1'})
    const other = finding('V10', 'info', undefined, {kind: 'Volume', podUid: 'u1'})
    const alone = reason({driver: 'e.example', handle: 'h2'}, {links: [{what: 'another volume', evidence: []}]})
    expect(told([other, volume], [reason({driver: 'd.example', handle: 'h1'}), alone]).chains).toEqual([
      ['it hangs', 'its volume is published', 'V02'],
      ['it hangs', 'V10'],
      ['it hangs', 'another volume'],
    ])
  })
})

/** Findings whose causes point anywhere, to themselves, too. */
const graphs = fc
  .array(fc.record({severity: fc.constantFrom(...severities), cause: fc.option(fc.nat(7), {nil: undefined})}), {minLength: 1, maxLength: 8})
  .map((nodes) => {
    const subject = (index: number) => ({kind: 'Pod' as const, name: `n${index}`})
    return nodes.map(({severity, cause}, index) => ({
      ...finding('X01', severity, undefined, subject(index)),
      cause: cause === undefined ? null : {code: 'X01', subject: subject(cause)},
    }))
  })

test('followCauses() ends at one root, whatever the causes are, and meets no finding twice', () => {
  fc.assert(
    fc.property(graphs, (findings) => {
      for (const each of findings) {
        const chain = followCauses(each, findings)
        expect(new Set(chain).size).toBe(chain.length)
        expect(chain[0]).toBe(each)
        expect(chain.length).toBeLessThanOrEqual(findings.length)
      }
    }),
  )
})

test('leavesOf() leaves out no finding: each is a leaf, follows from one, or goes in circles', () => {
  fc.assert(
    fc.property(graphs, (findings) => {
      const leaves = leavesOf(findings)
      expect(leaves.length).toBeGreaterThan(0)
      const acyclic = findings.every((each) => followCauses(each, findings).at(-1)?.cause === null)
      fc.pre(acyclic)
      const reached = new Set(leaves.flatMap((leaf) => followCauses(leaf, findings)))
      expect(reached.size).toBe(findings.length)
    }),
  )
})
