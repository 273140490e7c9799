// docs/inject.md against the code that it tells of.
import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {hang} from '../../src/faults/hang.ts'
import {answerControl} from '../../src/proxy/control/control-routes.ts'
import {postedRules} from '../../src/proxy/control/posted-rules.ts'
import {callRing} from '../../src/proxy/trace/call-ring.ts'
import {ledgerBook} from '../../src/proxy/trace/ledger.ts'
import {listedRules} from '../support/listed-rules.ts'

const text = readFileSync('docs/inject.md', 'utf8')
const surface = JSON.parse(readFileSync('fixtures/surface.json', 'utf8')) as Record<
  string,
  {readonly flags: Readonly<Record<string, unknown>>}
>

const info = {tool: 't', pid: 7, listen: 'l', upstream: 'u', seed: 1, startedAt: '', expiresAt: ''}
const controlled = () => ({
  info,
  rules: listedRules({name: 'NAME', match: {}, fault: hang()}),
  calls: callRing(1),
  ledger: ledgerBook(),
  parseRules: postedRules,
})

test('the commands of docs/inject.md have the flags that they are given', () => {
  const commands = [...text.matchAll(/^npx kubelimbo (.*)$/gm)].map(([, words = '']) => words.split(' '))
  expect(commands.length).toBeGreaterThan(3)
  for (const words of commands) {
    const [first = '', second = ''] = words
    const {flags} = surface[`${first}:${second}`] ?? surface[first] ?? {flags: {}}
    const given = words.filter((word) => word.startsWith('--')).map((word) => word.slice(2))
    expect(
      given.filter((name) => flags[name] === undefined),
      words.join(' '),
    ).toEqual([])
  }
})

test('the table of requests of docs/inject.md has what the control socket takes, and each works', () => {
  const requests = [...text.matchAll(/`(GET|POST|PUT|DELETE) (\/v1[^`?]*)[^`]*`/g)].map(
    ([, method = '', path = '']) => [method, path] as const,
  )
  expect(requests).toHaveLength(9)
  const body = (method: string) => (method === 'PUT' ? '{"paused": true}' : '{"name": "x", "fault": {"kind": "hang-call"}}')
  for (const [method, path] of requests.filter(([, path]) => path !== '/v1/calls'))
    expect([200, 201], `${method} ${path}`).toContain(answerControl({method, path, body: body(method)}, controlled()).status)
})

test('the fields of GET /v1 and of a rule are those of docs/inject.md', () => {
  const {apiVersion, kind, ...body} = answerControl({method: 'GET', path: '/v1', body: ''}, controlled()).body as Record<string, unknown>
  const row = /`GET \/v1` \| what runs: (.*) \|/.exec(text)?.[1]
  expect(row?.split(', ').map((name) => name.replaceAll('`', ''))).toEqual(Object.keys(body))
  const {rules} = answerControl({method: 'GET', path: '/v1/rules', body: ''}, controlled()).body as {readonly rules: readonly object[]}
  const line = text.split('\n').find((each) => each.startsWith('| `GET /v1/rules`'))
  for (const name of Object.keys(rules[0] ?? {})) expect(line).toContain(`\`${name}\``)
})

test('the rule that docs/inject.md posts can be posted', () => {
  const [, body = ''] = /-d '(\{"name".*\})'/.exec(text) ?? []
  expect(postedRules(body)).toMatchObject({rules: [{name: 'no', limit: 2, fault: {kind: 'error'}}]})
})
