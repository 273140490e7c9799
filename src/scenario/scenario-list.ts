// Which scenarios are shipped.
import {profileVersions} from '../kubelet/profiles.ts'
import {type Scenario, versionsOf} from './schema/scenario.ts'
import {shippedScenarios} from './shipped.ts'

export interface ScenarioList {
  readonly apiVersion: 'kubelimbo/v1'
  readonly kind: 'ScenarioList'
  readonly metadata: {readonly tool: string}
  readonly items: readonly ScenarioItem[]
}

export interface ScenarioItem {
  readonly name: string
  readonly label: string
  readonly title: string
  readonly issues: readonly string[]
  readonly switches: readonly string[]
  /** The kubelets on which the bug is there. */
  readonly reproducedOn: readonly string[]
}

export async function scenarioList(tool: string): Promise<ScenarioList> {
  const items = (await shippedScenarios()).map(itemOf)
  return {apiVersion: 'kubelimbo/v1', kind: 'ScenarioList', metadata: {tool}, items}
}

function itemOf({name, label, title, issues, switches, expect}: Scenario): ScenarioItem {
  const named = new Set(Object.keys(expect).flatMap(versionsOf))
  const on = (key: string) => (key === 'default' ? profileVersions.filter((version) => !named.has(version)) : versionsOf(key))
  const reproduced = new Set(Object.entries(expect).flatMap(([key, {verdict}]) => (verdict === 'reproduced' ? on(key) : [])))
  const reproducedOn = profileVersions.filter((version) => reproduced.has(version))
  return {name, label, title, issues, switches, reproducedOn}
}
