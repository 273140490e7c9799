import {describe, expect, test} from 'vitest'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import {startLabNode} from '../../../src/lab/lab-node.ts'
import {play} from '../../../src/scenario/play.ts'
import {parseScenario, readScenario} from '../../../src/scenario/read-scenario.ts'
import {answers} from '../../../src/scenario/schema/answers.ts'
import {methodsOf} from '../../../src/scenario/schema/methods.ts'
import {wholeRun} from '../../../src/scenario/whole-run.ts'
import {sampleScenario} from '../../support/sample-scenario.ts'

const services = ['api', 'cri', 'csi'] as const
const all = services.flatMap((to) => [...methodsOf(to).keys()].map((method) => ({to, method})))

const faked = (to: string, method: string, response = '') =>
  sampleScenario.replace(
    'steps:',
    `rules: [{name: r, match: {to: ${to}, method: ${method}}, fault: {kind: fake-success${response === '' ? '' : `, response: ${response}`}}}]\nsteps:`,
  )
const problemOf = (text: string) => readScenario(text, 'some.yaml').problems[0]?.replace(/^.* as 'rules\[0\]\.fault\.(.*) \(some.*$/s, '$1')

describe.each(all.filter(({method}) => answers.has(method)))('fake-success for $method', ({to, method}) => {
  test.each(['1.17.3', '1.36.2'] as const)('is an answer that the kubelet %s lives with', async (version) => {
    const scenario = parseScenario(faked(to, method), 'some.yaml')
    const {events} = await wholeRun(method, () => play(scenario, {profile: profileOf(version), seed: 1, startNode: startLabNode}))
    expect(events.length).toBeGreaterThan(10)
  })

  test('takes {}, and no response of another shape', () => {
    expect(problemOf(faked(to, method, '{}'))).toBeUndefined()
    for (const odd of ['5', 'text', '[1]', '{items: 5, containers: x, status: 7}', '{__proto__: {}}', '{constructor: 1}'])
      expect(problemOf(faked(to, method, odd)), odd).toMatch(/^response.* must be /)
  })
})

test.each(all.filter(({method}) => !answers.has(method)))('fake-success is refused for $method', ({to, method}) => {
  expect(problemOf(faked(to, method))).toBe(
    `kind' must be another fault for ${method}, as nobody can make up its answer: it is 'fake-success'`,
  )
})

test.each([
  [
    'cri',
    'ListContainers',
    '{containers: [{}]}',
    "response.containers' must be an empty list, as nobody knows the ids before: it is a list",
  ],
  ['cri', 'ListContainers', '{containers: 5}', "response.containers' must be a list: it is 5"],
  ['cri', 'RunPodSandbox', '{podSandboxId: 5}', "response.podSandboxId' must be a text: it is 5"],
  ['cri', 'ImageStatus', '{image: 5}', "response' must be a map without 'image', as there is only present: it is a map"],
  ['cri', 'ExecSync', '{exitCode: 256}', "response.exitCode' must be 255 or less: it is 256"],
  ['cri', 'StopContainer', '{a: 1}', "response' must be empty, as the kubelet reads nothing of this answer: it is a map"],
  ['api', 'PATCH pod/status', '{metadata: {}}', "response' must be empty, as the kubelet reads nothing of this answer: it is a map"],
])('readScenario() says of an answer of %s %s that is %s: %s', (to, method, response, says) => {
  expect(problemOf(faked(to, method, response))).toBe(says)
})

test('asIfDone() tells the kubelet that its status is written, and nobody sees it', async () => {
  const scenario = parseScenario(faked('api', 'PATCH pod/status'), 'some.yaml')
  const {events} = await play(scenario, {profile: profileOf('1.36.2'), seed: 1, startNode: startLabNode})
  const patched = events.filter((event) => event.kind === 'call' && event.method === 'PATCH pod/status')
  expect(patched.length).toBeGreaterThan(1)
  expect(patched.every((event) => event.kind === 'call' && event.outcome === 'OK')).toBe(true)
  const phases = events.flatMap((event) => (event.kind === 'object' ? [(event.object as {status: {phase: string}}).status.phase] : []))
  expect(new Set(phases)).toEqual(new Set(['Pending']))
})
