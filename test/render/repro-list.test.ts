import {expect, test} from 'vitest'
import {profileVersions} from '../../src/kubelet/profiles.ts'
import {renderScenarioList} from '../../src/render/repro-list.ts'
import {scenarioList} from '../../src/scenario/scenario-list.ts'

const list = await scenarioList('kubelimbo 1.0.0')

test('scenarioList() names the kubelets that have the bug, whatever the file calls them', () => {
  const on = (name: string) => list.items.find((each) => each.name === name)?.reproducedOn
  expect(on('status-head-of-line')).toEqual(profileVersions)
  expect(on('failed-becomes-succeeded')).toEqual(['1.17.3'])
  expect(list.items.flatMap(({reproducedOn}) => reproducedOn)).not.toContain('default')
})

test('renderScenarioList() has a row each, and says all', async () => {
  const lines = (await renderScenarioList(list, 'table', Number.POSITIVE_INFINITY)).trimEnd().split('\n')
  expect(lines).toHaveLength(list.items.length + 1)
  expect(lines.find((line) => line.startsWith('status-head-of-line'))).toMatch(/^status-head-of-line +#107897 +all +/)
})

test('renderScenarioList() has a paragraph each where there is no room', async () => {
  const lines = (await renderScenarioList(list, 'table', 80)).split('\n')
  expect(lines).toContain('status-head-of-line (#107897), bug on all')
  expect(lines.filter((line) => line.length > 80)).toEqual([])
})
