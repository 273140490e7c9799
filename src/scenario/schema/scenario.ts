// A scenario file, version kubelimbo/v1. For editors: fixtures/schema/scenario.json; in words: docs/scenarios.md.
import * as v from 'valibot'
import {isSeed, seedMust} from '../../base/seed.ts'
import {strict} from '../../base/yaml/strict.ts'
import {duration, int32, listOf, namedOneOf, oneOf, recordOf, text} from '../../base/yaml/values.ts'
import {profileVersions} from '../../kubelet/profiles.ts'
import {type SwitchName, switches} from '../../kubelet/switches.ts'
import {claimSchema, driverSchema} from './driver.ts'
import {expectationSchema} from './expectation.ts'
import {findingSchema} from './finding.ts'
import {mostPods, podSchema} from './pod.ts'
import {ruleSchema} from './rule.ts'
import {stepSchema} from './step.ts'

const expectations = listOf(expectationSchema)
const switchNames = Object.values(switches).map(({name}): SwitchName => name)
const rate = v.exactOptional(v.pipe(v.number('a number'), v.minValue(0.001, 'more than 0'), v.maxValue(int32, `${int32} or less`)))

/** One or several versions between commas, or 'default' for all others. */
const profileKey = {
  may: (key: string): boolean =>
    key === 'default' || versionsOf(key).every((version) => (profileVersions as readonly string[]).includes(version)),
  must: `default, or of ${profileVersions.join(', ')}`,
}

export const versionsOf = (key: string): readonly string[] => key.split(',').map((version) => version.trim())

export const scenarioSchema = strict({
  apiVersion: v.literal('kubelimbo/v1', 'kubelimbo/v1'),
  kind: v.literal('Scenario', 'Scenario'),
  name: v.pipe(text, v.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'a name of small letters, digits and -')),
  /** Of the documented bug: A1. */
  label: text,
  title: text,
  why: text,
  issues: v.exactOptional(listOf(text), []),
  /** Which kubelets it is run on when nobody says. */
  profiles: v.exactOptional(
    v.pipe(
      listOf(oneOf(profileVersions)),
      v.minLength(1, 'a list of at least one'),
      v.check((each) => new Set(each).size === each.length, 'a list with each kubelet once'),
    ),
  ),
  /** Fields of the kubelet's configuration file. */
  kubelet: v.exactOptional(strict({kubeAPIQPS: rate, kubeAPIBurst: rate})),
  /** Of `check`, which names the bug on a node that has it. */
  finding: v.exactOptional(findingSchema),
  /** With which it is played when nobody says, where it shows with few: an explored one. */
  seed: v.exactOptional(v.pipe(v.number(seedMust), v.check(isSeed, seedMust))),
  /** The changes that it is about. */
  switches: v.exactOptional(listOf(namedOneOf('a switch of the kubelet', switchNames)), []),
  /** CSI drivers of the node. */
  drivers: v.exactOptional(listOf(driverSchema), []),
  /** Persistent volume claims, each bound to a volume of a driver. */
  claims: v.exactOptional(listOf(claimSchema), []),
  pods: v.pipe(listOf(podSchema, mostPods), v.minLength(1, 'a list of at least one pod')),
  /** There from the start. */
  rules: v.exactOptional(listOf(ruleSchema), []),
  steps: listOf(stepSchema),
  /** How long it runs. */
  until: duration,
  given: expectations,
  expect: recordOf(
    strict({verdict: oneOf(['reproduced', 'fixed']), that: v.pipe(expectations, v.minLength(1, 'a list of at least one'))}),
    profileKey,
  ),
})

export type Scenario = v.InferOutput<typeof scenarioSchema>
export type Expected = Scenario['expect'][string]
