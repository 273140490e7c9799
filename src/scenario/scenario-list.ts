// Which scenarios are shipped.
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
  /** The kubelets on which the bug is there; 'default' stands for all that are not named. */
  readonly reproducedOn: readonly string[]
}

export async function scenarioList(tool: string): Promise<ScenarioList> {
  const items = (await shippedScenarios()).map(itemOf)
  return {apiVersion: 'kubelimbo/v1', kind: 'ScenarioList', metadata: {tool}, items}
}

function itemOf({name, label, title, issues, switches, expect}: Scenario): ScenarioItem {
  const reproducedOn = Object.entries(expect).flatMap(([key, {verdict}]) => (verdict === 'reproduced' ? versionsOf(key) : []))
  return {name, label, title, issues, switches, reproducedOn}
}
