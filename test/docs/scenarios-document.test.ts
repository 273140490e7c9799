// docs/scenarios.md against the code that it tells of.
import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {profileOf} from '../../src/kubelet/profiles.ts'
import {startLabNode} from '../../src/lab/lab-node.ts'
import {programOf} from '../../src/lab/runtime/container-program.ts'
import {play} from '../../src/scenario/play.ts'
import {answers} from '../../src/scenario/schema/answers.ts'
import {methodsOf} from '../../src/scenario/schema/methods.ts'
import {mostPods} from '../../src/scenario/schema/pod.ts'
import {scenarioSchema} from '../../src/scenario/schema/scenario.ts'
import {scenariosNamed} from '../../src/scenario/shipped.ts'

const text = readFileSync('docs/scenarios.md', 'utf8')

/** Cells of the rows below a head, without the marks of code. */
function tableUnder(head: string): readonly (readonly string[])[] {
  const lines = text.slice(text.indexOf(`\n${head}\n`) + 1).split('\n')
  const rows = lines.slice(
    2,
    lines.findIndex((line) => !line.startsWith('|')),
  )
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}
const codesIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code ?? '')

test('the table of calls has all of them, with whose they are, their fields and what fake-success answers', () => {
  const rows = tableUnder('| to | method | whose | fields of `request` | `fake-success` |')
  const expected = (['api', 'cri', 'csi'] as const).flatMap((to) =>
    [...methodsOf(to)].map(([name, {pod, container, request}]) => {
      const answer = answers.get(name)
      const usual = JSON.stringify(answer?.usual)?.replaceAll('"', '').replaceAll(':', ': ')
      return [
        to,
        `\`${name}\``,
        [...(pod ? ['pod'] : []), ...(container ? ['container'] : [])].join(', '),
        Object.entries(request)
          .map(([field, type]) => `\`${field}\`${type === 'number' ? ' (number)' : ''}`)
          .join(', '),
        answer === undefined ? 'no' : answer.fields === '' ? 'yes' : `\`${usual}\``,
      ]
    }),
  )
  expect(rows).toEqual(expected)
})

test('the table of keys says which must be there', () => {
  const [must, may] = tableUnder('| key | |').map(([cell]) => codesIn(cell))
  const entries = Object.entries(scenarioSchema.entries)
  const optional = (type: string) => type === 'exact_optional'
  expect(must?.toSorted()).toEqual(entries.flatMap(([key, {type}]) => (optional(type) ? [] : [key])).sort())
  expect(may?.toSorted()).toEqual(entries.flatMap(([key, {type}]) => (optional(type) ? [key] : [])).sort())
  expect(text).toContain(`at most ${mostPods} pods in all`)
})

test('the table of statements has what the lab understands', () => {
  const statements = tableUnder('| statement | |').flatMap(([cell]) => codesIn(cell))
  expect(statements.length).toBeGreaterThan(7)
  for (const each of statements) {
    const script = each.replaceAll('N', '2').replaceAll('M', '3').replaceAll('TER3', 'TERM')
    expect(programOf(['sh', '-c', script]), script).toMatchObject({kind: 'script'})
  }
})

test('the table of log lines has the fields that the model logs', async () => {
  const logged = new Map<string, ReadonlySet<string>>()
  for (const scenario of await scenariosNamed([
    'exit-137-after-exit-0',
    'reason-cache-blocks-deletion',
    'publish-without-stage',
    'failed-becomes-succeeded',
    'status-head-of-line',
    'terminal-pod-still-running',
    'publish-timeout-filesystem',
    'staging-dir-missing',
    'teardown-without-target',
    'unpublish-without-target',
  ]))
    for (const version of ['1.17.3', '1.21.2', '1.36.2'])
      for (const event of (await play(scenario, {profile: profileOf(version), seed: 1, startNode: startLabNode})).events)
        if (event.kind === 'log') logged.set(event.text, new Set([...(logged.get(event.text) ?? []), ...Object.keys(event.fields ?? {})]))
  for (const [lines, fields] of tableUnder('| log | fields |'))
    for (const line of codesIn(lines))
      expect([...(logged.get(line) ?? expect.fail(`nobody logged '${line}'`))].sort(), line).toEqual(codesIn(fields).sort())
})
