import {describe, expect, test} from 'vitest'
import {parse} from 'yaml'
import {renderExplore} from '../../src/render/explore.ts'
import type {ExploreReport, FoundViolation} from '../../src/scenario/explore/explore-report.ts'

const finding = (more: Partial<FoundViolation> = {}): FoundViolation => ({
  invariant: 'end-undone',
  how: 'Failed, then Succeeded',
  what: 'the phase is Failed and then Succeeded',
  pod: 'default/pod-0',
  at: 1000,
  switches: ['ends-keep-exits'],
  otherSwitches: [],
  histories: 3,
  command: 'kubelimbo repro explore --profile 1.17.3 --seed 17 --runs 1',
  seed: 1,
  history: {pods: [], steps: [], until: '10s'},
  ...more,
})

const report = (...findings: readonly FoundViolation[]): ExploreReport => ({
  apiVersion: 'kubelimbo/v1',
  kind: 'ExploreReport',
  metadata: {tool: 'kubelimbo 1.0.0', profile: '1.17.3', switches: [], seed: 1, family: 'pods'},
  histories: 20,
  findings,
})

describe('renderExplore()', () => {
  test('has a row a finding, with what mends it and what shows it again', async () => {
    const lines = (await renderExplore(report(finding()), 'table')).split('\n')
    expect(lines[0]).toBe('20 histories on a kubelet 1.17.3:')
    expect(lines[3]?.split(/ {2,}/)).toEqual([
      'end-undone',
      'Failed, then Succeeded',
      '3',
      'ends-keep-exits',
      '--profile 1.17.3 --seed 17 --runs 1',
    ])
  })

  test.each<[string, readonly string[], readonly (readonly string[])[]]>([
    ['none of the switches known', [], []],
    ['a + b', ['a', 'b'], []],
    ['a (or b, or c)', ['a'], [['b'], ['c']]],
  ])('says %s', async (text, switches, otherSwitches) => {
    expect(await renderExplore(report(finding({switches, otherSwitches})), 'table')).toContain(`  ${text}  `)
  })

  test('says in a sentence that nothing was found, and on what', async () => {
    const {metadata, ...rest} = report()
    const turned = {...rest, histories: 1, metadata: {...metadata, switches: ['+ends-keep-exits']}}
    expect(await renderExplore(turned, 'table')).toBe(
      '1 history on a kubelet 1.17.3 with +ends-keep-exits: nothing broke what must hold.\n',
    )
  })

  test('has a paragraph a finding where a table has no room', async () => {
    const volumes = finding({command: 'kubelimbo repro explore --volumes --profile 1.36.2 --switch -a,-b --seed 17 --runs 1', histories: 1})
    expect((await renderExplore(report(finding({otherSwitches: [['b'], ['c']]}), volumes), 'table', 60)).split('\n')).toEqual([
      '20 histories on a kubelet 1.17.3:',
      '',
      'end-undone: Failed, then Succeeded (in 3 histories)',
      '  mended by   ends-keep-exits (or b, or c)',
      '  again with  --profile 1.17.3 --seed 17 --runs 1',
      '',
      'end-undone: Failed, then Succeeded (in 1 history)',
      '  mended by   ends-keep-exits',
      '  again with  --volumes --profile 1.36.2 --switch -a,-b',
      '              --seed 17 --runs 1',
      '',
    ])
  })

  test('as json and yaml is the report', async () => {
    expect(JSON.parse(await renderExplore(report(finding()), 'json'))).toEqual(report(finding()))
    expect(parse(await renderExplore(report(finding()), 'yaml'))).toEqual(report(finding()))
  })
})
