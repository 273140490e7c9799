import {expect, test} from 'vitest'
import {parse} from 'yaml'
import {kubeletOutputs, renderReproKubelet} from '../../src/render/repro-kubelet.ts'
import type {KubeletReport, KubeletRunReport} from '../../src/scenario/kubelet-report.ts'
import {junitErrors} from '../support/junit-schema.ts'

/** Whatever a kubelet may log. */
const nasty = `<b>&"'\u001b[31m # \\ ]]> é\n2nd`
const check = {what: nasty, held: false, why: nasty}
const run = (more: Partial<KubeletRunReport>): KubeletRunReport => ({
  verdict: 'has the bug',
  why: nasty,
  given: [check],
  like: [{of: '1.17.3', verdict: 'reproduced', expectations: [check]}],
  ...more,
})
const scenario = {name: 'some', label: 'A1', title: nasty, issues: []}
const report: KubeletReport = {
  apiVersion: 'kubelimbo/v1',
  kind: 'KubeletReport',
  metadata: {tool: 'kubelimbo 1.0.0'},
  kubelets: [
    {path: '/old/kubelet', version: 'v1.17.3'},
    {path: nasty, version: 'v1.37.2'},
  ],
  scenarios: [
    {...scenario, runs: [run({}), run({verdict: 'does not have it'})]},
    {...scenario, name: 'other', runs: [run({}), run({verdict: 'inconclusive', log: ['F1201 it panicked', nasty]})]},
  ],
}

test('renderReproKubelet() as a table has the verdicts side by side, why, the last lines of a dead kubelet, and the sum', async () => {
  const text = await renderReproKubelet(report, 'table')
  expect(text).toMatch(
    /^SCENARIO +LABEL +v1\.17\.3 +v1\.37\.2\nsome +A1 +has the bug +does not have it\nother +A1 +has the bug +inconclusive\n/,
  )
  expect(text).toContain('\n    F1201 it panicked\n')
  expect(text).toContain('/old/kubelet, which says that it is v1.17.3, has 2 of 2; ')
  expect(text.trimEnd()).toMatch(/has 0 of 2, 1 inconclusive$/)
  expect(text).not.toContain('\u001b')
})

test('renderReproKubelet() as json and yaml is the report', async () => {
  expect(JSON.parse(await renderReproKubelet(report, 'json'))).toEqual(report)
  expect(parse(await renderReproKubelet(report, 'yaml'))).toEqual(report)
})

test("renderReproKubelet() as junit holds to JUnit's schema: a bug is a failure, what is inconclusive an error", async () => {
  const xml = await renderReproKubelet(report, 'junit')
  expect(await junitErrors(xml)).toEqual([])
  const counts = [...xml.matchAll(/tests="(\d)" failures="(\d)" errors="(\d)"/g)].map(([, ...each]) => each.join(' '))
  expect(counts).toEqual(['2 2 0', '2 0 1'])
  expect(xml).toContain('F1201 it panicked')
})

test.each(kubeletOutputs)('renderReproKubelet() as %s ends in one line break', async (output) => {
  expect(await renderReproKubelet(report, output)).toMatch(/[^\n]\n$/)
})
