// The built command, as a user runs it: what it prints and how it ends.
import {Ajv} from 'ajv'
import {expect, test} from 'vitest'
import {bareMachine} from '../support/bare-machine.ts'
import {kubelimbo} from '../support/kubelimbo.ts'
import {publishedSchema} from '../support/published-schema.ts'

const stage = ['--from', 'fixtures/nodes/stage-hang-terminating']
const schema = publishedSchema('why')

test.each<[what: string, args: readonly string[], exit: number]>([
  ['a pod that waits for a call', ['default/stage-0', ...stage], 0],
  ['the same an hour later', ['default/stage-0', ...stage, '--now', '2026-11-30T04:11:04Z'], 1],
  ['a claim', ['PVC', 'default/pvc1', ...stage], 0],
  ['a claim of no pod', ['pvc', 'default/none', ...stage], 0],
  ['a path', ['/var/lib/kubelet/pods', ...stage], 0],
  ['a pod that is not there', ['default/none', ...stage], 2],
  ['a path of another place', ['/etc/passwd', ...stage], 2],
  ['no question', [...stage], 2],
  ['a question of a kind that there is not', ['node', 'n1', ...stage], 2],
  ['an unknown profile', ['default/stage-0', ...stage, '--profile', '1.2.3'], 2],
  ['a node without a runtime and a kubelet', ['default/web-0', '-r', 'unix:///nowhere/containerd.sock', ...bareMachine().flags], 3],
])('why: %s', async (_what, args, exit) => {
  const text = await kubelimbo(['why', ...args])
  const json = await kubelimbo(['why', ...args, '--json'])
  expect([text.exitCode, json.exitCode], text.stderr).toEqual([exit, exit])
  expect(text.stderr + json.stderr).not.toMatch(/^\s+at /m)
  if (exit >= 2) expect(text.stderr).toMatch(/^kubelimbo: Cannot /)
  else expect(new Ajv({strict: true, allowUnionTypes: true}).validate(schema, JSON.parse(json.stdout))).toBe(true)
})

test('why says the same as JSON and as YAML', async () => {
  const [json, yaml] = await Promise.all([
    kubelimbo(['why', 'default/stage-0', ...stage, '-o', 'json']),
    kubelimbo(['why', 'default/stage-0', ...stage, '-o', 'yaml']),
  ])
  const {parse} = await import('yaml')
  expect(parse(yaml.stdout)).toEqual(JSON.parse(json.stdout))
})
