import {expect, test} from 'vitest'
import {profileOf} from '../../src/kubelet/profiles.ts'
import {startLabNode} from '../../src/lab/lab-node.ts'
import {isDecided, judgeKubelet} from '../../src/scenario/judge-kubelet.ts'
import {play, usualSeed} from '../../src/scenario/play.ts'
import {versionsOf} from '../../src/scenario/schema/scenario.ts'
import {shippedScenarios} from '../../src/scenario/shipped.ts'
import type {Event} from '../../src/timeline/event.ts'

const shipped = await shippedScenarios()
const runs = shipped.flatMap((scenario) => {
  const {name, profiles = ['1.17.3', '1.18.2'], expect: expected} = scenario
  return profiles.map((version) => {
    const key = Object.keys(expected).find((each) => versionsOf(each).includes(version)) ?? 'default'
    return {name, version, scenario, verdict: expected[key]?.verdict}
  })
})

const played = async ({scenario, version}: (typeof runs)[number]) =>
  play(scenario, {profile: profileOf(version), seed: scenario.seed ?? usualSeed, startNode: startLabNode})

test.each(runs)('judgeKubelet() finds out of $name what kubelet $version is, without being told its version', async (run) => {
  const record = await played(run)
  const {verdict, why} = judgeKubelet(run.scenario, record)
  expect([verdict, why]).toEqual([run.verdict === 'reproduced' ? 'has the bug' : 'does not have it', expect.any(String)])
  expect(isDecided(run.scenario, record)).toBe(true)
})

test('judgeKubelet() does not judge what was not triggered, nor what did neither', async () => {
  const [run] = runs.filter(({name, version}) => name === 'stage-timeout-block' && version === '1.17.3')
  if (run === undefined) throw new Error('there is no such scenario')
  const record = await played(run)
  const {scenario} = run
  // What a call will have come to nobody knows before it has.
  const upTo = (ms: number) => {
    const end = record.start + ms
    const events = record.events.flatMap((event): readonly Event[] => {
      if (event.at >= end) return []
      if (event.kind !== 'call' || (event.endedAt ?? 0) < end) return [event]
      const {outcome: _, endedAt: __, ...open} = event
      return [open]
    })
    return {...record, events, end}
  }
  expect(judgeKubelet(scenario, upTo(60_000))).toMatchObject({
    verdict: 'inconclusive',
    why: expect.stringMatching(/^what triggers it did not happen: /),
  })
  expect(isDecided(scenario, upTo(60_000))).toBe(false)
  expect(judgeKubelet(scenario, {...record, failures: ['a step could not be done']})).toMatchObject({
    verdict: 'inconclusive',
    why: 'a step could not be done',
  })
  const withoutDisk = {...record, events: record.events.filter(({kind}) => kind !== 'disk')}
  expect(judgeKubelet(scenario, withoutDisk).why).toMatch(/^it did neither as kubelets with the bug nor as others: of 1\.17\.3/)
})
