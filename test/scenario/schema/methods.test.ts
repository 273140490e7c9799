import {expect, test} from 'vitest'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import {startLabNode} from '../../../src/lab/lab-node.ts'
import {play} from '../../../src/scenario/play.ts'
import {answers} from '../../../src/scenario/schema/answers.ts'
import {methodsOf} from '../../../src/scenario/schema/methods.ts'
import {scenariosNamed} from '../../../src/scenario/shipped.ts'

test('methodsOf() has what the lab tells of its calls: whose they are, and the fields of their requests', async () => {
  const told = new Map<string, Set<string>>()
  for (const scenario of await scenariosNamed([
    'failed-becomes-succeeded',
    'fallback-exit-137',
    'publish-without-stage',
    'publish-timeout-block',
  ])) {
    const {events} = await play(scenario, {profile: profileOf('1.18.2'), seed: 1, startNode: startLabNode})
    for (const event of events) {
      if (event.kind !== 'call') continue
      const fields = told.get(event.method) ?? new Set()
      told.set(event.method, fields)
      if (event.pod !== undefined) fields.add('pod')
      if (event.container !== undefined) fields.add('container')
      // Lists and maps equal nothing that a file says.
      for (const [name, value] of Object.entries(event.request)) if (typeof value !== 'object') fields.add(`${name} ${typeof value}`)
    }
  }
  expect(told.size).toBeGreaterThan(15)
  for (const [name, fields] of told) {
    const {pod, container, request} = methodsOf().get(name) ?? expect.fail(`${name} is not there`)
    const known = Object.entries(request).map(([field, type]) => `${field} ${type === 'text' ? 'string' : type}`)
    expect([...fields].sort(), name).toEqual(
      [...(pod ? ['pod'] : []), ...(container ? ['container'] : []), ...known]
        .filter((field) => field !== 'podUid string' || fields.has(field))
        .sort(),
    )
  }
})

test('answers has none of a call that there is not', () => {
  expect([...answers.keys()].filter((name) => !methodsOf().has(name))).toEqual([])
})
