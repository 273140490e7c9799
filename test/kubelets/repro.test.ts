// Real kubelets: each scenario on each, side by side, in real time. What is inconclusive is in inconclusive.txt, with the reason.
// KUBELIMBO_KUBELETS says which, of kubelet, kubelet-1.18 and kubelet-1.17; default: today's. KUBELIMBO_SCENARIOS says which scenarios; default: all.
import {readFileSync} from 'node:fs'
import {readdir} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {expect, test} from 'vitest'
import type {KubeletReport} from '../../src/scenario/kubelet-report.ts'
import {shippedScenarios} from '../../src/scenario/shipped.ts'
import {builtPeers} from '../support/built-peers.ts'
import {kubelimbo} from '../support/kubelimbo.ts'

const scenarios = process.env.KUBELIMBO_SCENARIOS?.split(',') ?? []
const names = (process.env.KUBELIMBO_KUBELETS ?? 'kubelet').split(',')

const known = readFileSync(new URL('inconclusive.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split(/\s+/, 2) as [kubelets: string, scenario: string])

/** By what their sources say and what was seen: of the others a kubelet may have any. */
const bugs: Readonly<Record<string, readonly string[]>> = {
  kubelet: ['exit-137-after-exit-0'],
  'kubelet-1.17': [
    'failed-becomes-succeeded',
    'reason-cache-blocks-deletion',
    'stage-timeout-block',
    'stage-timeout-filesystem',
    'publish-timeout-block',
    'publish-timeout-filesystem',
    'success-without-status',
  ],
  'kubelet-1.18': [],
}
const shipped = await shippedScenarios()
const documented = bugs['kubelet-1.17'] ?? []

const ours = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('kl-kubelet-'))

test.each(names)('repro --kubelet finds out of each scenario whether %s has its bug, and leaves nothing', async (name) => {
  const [binary = ''] = await builtPeers(name)
  const before = await ours()
  const {stdout, exitCode} = await kubelimbo(['repro', ...scenarios, '--kubelet', binary, '--at-once', '8', '-o', 'json'])
  const report = JSON.parse(stdout) as KubeletReport
  const of = (verdict: string) => report.scenarios.flatMap(({name: one, runs}) => (runs[0]?.verdict === verdict ? [one] : []))
  process.stdout.write(`${report.scenarios.map(({name: one, runs}) => `${one}: ${runs[0]?.verdict}: ${runs[0]?.why}`).join('\n')}\n`)
  const reasons = known.flatMap(([kubelets, scenario]) => (kubelets === 'all' || kubelets.split(',').includes(name) ? [scenario] : []))
  expect(of('inconclusive').filter((one) => !reasons.includes(one))).toEqual([])
  const must = (bugs[name] ?? []).filter((one) => scenarios.length === 0 || scenarios.includes(one))
  expect(of('has the bug')).toEqual(expect.arrayContaining(must))
  if (name !== 'kubelet-1.17') expect(of('has the bug').filter((one) => documented.includes(one))).toEqual([])
  expect(report.scenarios.length).toBe(scenarios.length === 0 ? shipped.length : scenarios.length)
  expect(exitCode).toBe(of('has the bug').length > 0 ? 1 : of('inconclusive').length > 0 ? 3 : 0)
  expect(await ours()).toEqual(before)
})
