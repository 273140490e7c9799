// What a schema alone does not see: what no API server takes, and rules and expectations that could not hit or fail.
import {describe, expect, test} from 'vitest'
import {readScenario} from '../../src/scenario/read-scenario.ts'
import {sampleScenario as example} from '../support/sample-scenario.ts'

const problemsOf = (text: string) =>
  readScenario(text, 'some.yaml').problems.map((problem) => problem.replace(/^Cannot read scenario \S+ as (.*) \(some\.yaml:\d+\)$/s, '$1'))

/** Each in the example. */
const changed = (...changes: readonly (readonly [string, string])[]) =>
  changes.reduce((text, [from, to]) => {
    expect(text).toContain(from)
    return text.replace(from, to)
  }, example)

const withRule = (match: string, fault = 'kind: hang', more = '') =>
  changed(['steps:', `rules: [{name: r, match: {${match}}, ${more}fault: {${fault}}}]\nsteps:`])
const withGiven = (given: string) => changed(['given:', `given:\n  - ${given}`])

describe.each(['constructor', 'hasownproperty', 'tostring', 'prototype'])('a name such as %s', (name) => {
  const named = example.replaceAll('main', name).replaceAll('job-0', `${name}-pod`)

  test('readScenario() takes of a container and a pod', () => {
    expect(problemsOf(named)).toEqual([])
  })

  test('readScenario() does not take for one that is not there', () => {
    const odd = changed(['containers: {main: {state: terminated, exitCode: 1}}', `containers: {${name}: {state: terminated, exitCode: 1}}`])
    expect(problemsOf(odd)).toEqual([`'expect.1.17.3.that[0].ordered[0].containers.${name}' must be a container of it: it is '${name}'`])
  })
})

test.each(['constructor', '__proto__', 'toString', 'prototype'])('readScenario() takes %s for no kubelet, no key and no switch', (name) => {
  expect(problemsOf(changed(['  default:', `  ${name}:`]))[0]).toMatch(`the key 'expect.${name}' must be default, or of `)
  expect(problemsOf(changed(['label:', `${name}: {}\nlabel:`]))[0]).toMatch(`it must have only keys that there are: it has '${name}'`)
  expect(problemsOf(changed(['switches: [', `switches: [${name}, `]))[0]).toMatch("'switches[0]' must be a switch of the kubelet, of ")
  expect(problemsOf(changed(['create: job-0', `${name}: job-0`]))[0]).toMatch("'steps[0]' must be a step, with one of ")
  expect(problemsOf(withRule(`to: cri, method: ${name}`))[0]).toMatch("'rules[0].match.method' must be a call to cri that there is")
  expect(problemsOf(withRule(`to: cri, method: StopContainer, request: {${name}: 1}`))[0]).toMatch(`match.request.${name}' must be `)
})

const bounds: readonly (readonly [text: string, says: string])[] = [
  [changed(['until: 60s', 'until: 25h']), "'until' must be a duration of at most 24h: it is '25h'"],
  [changed(['    within: 7s', '    within: 100d']), "'given[1].within' must be a duration of at most 24h: it is '100d'"],
  [
    changed(['    metadata: {name: job-0', '    count: 10001\n    metadata: {name: job-0']),
    "'pods[0].count' must be 10000 or less: it is 10001",
  ],
  [changed(['    metadata: {name: job-0', '    count: -3\n    metadata: {name: job-0']), "'pods[0].count' must be 1 or more: it is -3"],
  [
    changed(['pods:\n', 'pods:\n  - {count: 10000, metadata: {name: other}, spec: {containers: [{name: main}]}}\n']),
    "'pods' must be at most 10000 in all: they are 10001",
  ],
  [
    changed(['pods:\n', 'pods:\n  - {count: 1, metadata: {name: job}, spec: {containers: [{name: main}]}}\n']),
    "'pods[1].metadata.name' must be another pod's: it is 'default/job-0' again",
  ],
  [
    changed(['terminationGracePeriodSeconds: 10', 'activeDeadlineSeconds: 0']),
    "'pods[0].spec.activeDeadlineSeconds' must be 1 or more: it is 0",
  ],
  [
    changed(['terminationGracePeriodSeconds: 10', 'terminationGracePeriodSeconds: 1e300']),
    "'pods[0].spec.terminationGracePeriodSeconds' must be 2147483647 or less: it is 1e+300",
  ],
  [
    changed(['      containers:\n', '      initContainers: [{name: main}]\n      containers:\n']),
    "'pods[0].spec.containers[0].name' must be another container's of its pod: it is 'main' again",
  ],
  [
    changed(['delete: job-0', 'delete: {pod: job-0, gracePeriod: 0.3s}']),
    "'steps[1].delete.gracePeriod' must be whole seconds: it is '0.3s'",
  ],
  [
    changed(['removeContainer: {pod: job-0, container: main}', 'killContainer: {pod: job-0, container: main, exitCode: 256}']),
    "'steps[2].killContainer.exitCode' must be 255 or less: it is 256",
  ],
  [
    changed(['label: A4', 'label: A4\nseed: 9007199254740993']),
    "'seed' must be a whole number from 0 to 9007199254740991: it is 9007199254740992",
  ],
  [changed(['label: A4', 'label: A4\nprofiles: [1.17.3, 1.17.3]']), "'profiles' must be a list with each kubelet once: it is a list"],
  [changed(['label: A4', 'label: A4\nprofiles: []']), "'profiles' must be a list of at least one: it is an empty list"],
  [
    changed(['  default:', '  1.17.3, 1.18.2:\n    verdict: fixed\n    that: [{never: {watch: DELETED}}]\n  default:']),
    "'expect' must say of each kubelet once what is expected of it: it does of 1.17.3 again",
  ],
  [
    changed(['steps:\n', `steps:\n${'  - {at: 0s, removeFinalizers: job-0}\n'.repeat(997)}`]),
    "'steps' must be a list of at most 1000: it is a list of 1001",
  ],
  [changed(['at: 8s', 'at: 6s']), "'steps[2].at' must be at or after the step before it: it is 6 s, and one above it is at 7 s"],
]

test.each(bounds.map(([text, says]) => [says, text] as const))('readScenario() says: %s', (says, text) => {
  expect(problemsOf(text)).toEqual([says])
})

test.each([
  ['count: {of: {watch: any}}', "'given[0].count' must be a count with a 'min' above 0, a 'max' or both"],
  ['count: {of: {watch: any}, min: 0}', "'given[0].count' must be a count with a 'min' above 0, a 'max' or both"],
  ['count: {of: {watch: any}, min: 3, max: 2}', "'given[0].count' must be a count with a 'min' that is not above its 'max'"],
  ['{never: {watch: any}, since: 50s, until: 10s}', "'given[0].since' must be before its 'until', which is at 10 s: it is 50 s"],
  ['{never: {watch: any}, since: 61s}', "'given[0].since' must be before the end: it is 61 s, and that is at 60 s"],
  [
    'eventually: {call: StopContainer, outcome: OKAY}',
    "'given[0].eventually.outcome' must be a code of gRPC, such as UNAVAILABLE: it is 'OKAY'",
  ],
  ['eventually: {call: GET pod, outcome: NotFond}', "it is 'NotFond', 'NotFound' may be meant"],
  [
    'never: {call: ListContainers, pod: job-0}',
    "'given[0].never.pod' must be left out, as ListContainers has no pod: it is 'default/job-0'",
  ],
  [
    'never: {call: any, request: {nofield: 1}}',
    "'given[0].never.request.nofield' must be a field of the request of a call, of which there are ",
  ],
  ['never: {call: StopContainer, request: {timeout: "2"}}', "'given[0].never.request.timeout' must be a number: it is '2'"],
  [
    'never: {watch: any, initContainers: {main: {exitCode: 0}}}',
    "'given[0].never.initContainers.main' must be a container of it: it is 'main'",
  ],
  ['never: {runtime: exited, exitCode: 256}', "'given[0].never.exitCode' must be 255 or less: it is 256"],
])('readScenario() says of what cannot fail, %s: %s', (given, says) => {
  expect(problemsOf(withGiven(given))).toEqual([expect.stringContaining(says)])
})

test.each([
  [
    'to: cri, method: ListContainers, pod: job-0',
    "'rules[0].match.pod' must be left out, as ListContainers has no pod: it is 'default/job-0'",
  ],
  [
    'to: cri, method: StopPodSandbox, container: main',
    "'rules[0].match.container' must be left out, as StopPodSandbox has no container: it is 'main'",
  ],
  [
    'to: cri, method: StopPodSandbox, request: {timeout: 2}',
    "'rules[0].match.request.timeout' must be a field of the request of StopPodSandbox, of which there are id: it is timeout",
  ],
  [
    'to: api, method: GET pod, request: {uid: a}',
    "'rules[0].match.request.uid' must be a field of the request of GET pod, of which none can be asked for: it is 'uid'",
  ],
])('readScenario() says of a rule that cannot hit, %s: %s', (match, says) => {
  expect(problemsOf(withRule(match))).toEqual([says.replace('it is timeout', "it is 'timeout'")])
})

test('readScenario() refuses a rule that hits none, and codes that no server has', () => {
  const match = 'to: cri, method: StopPodSandbox'
  expect(problemsOf(withRule(match, 'kind: hang', 'limit: 0, '))).toEqual(["'rules[0].limit' must be 1 or more: it is 0"])
  for (const kind of ['fail', 'exec-then-error']) {
    expect(problemsOf(withRule(match, `kind: ${kind}, code: Conflict`))).toEqual([
      "'rules[0].fault.code' must be a code of gRPC, such as UNAVAILABLE: it is 'Conflict'",
    ])
    expect(problemsOf(withRule('to: api, method: GET pod', `kind: ${kind}, code: Conflict`))).toEqual([])
  }
})

describe('of a manifest with copies', () => {
  const copies = changed(['    metadata: {name: job-0', '    count: 2\n    metadata: {name: job-0'])

  test('readScenario() refuses a matcher that none of them has the name of', () => {
    const says = problemsOf(copies)
    expect(says).toHaveLength(6)
    expect(says[0]).toBe(
      "'given[0].eventually.pod' must be one of its copies, as it has a count: it is 'default/job-0', 'default/job-0-*' may be meant",
    )
    expect(problemsOf(copies.replaceAll('pod: job-0,', "pod: 'job-0-*',"))).toEqual([])
  })

  test('readScenario() refuses a rule about all of them', () => {
    const fine = copies.replaceAll('pod: job-0,', "pod: 'job-0-*',")
    const rule = (pod: string) =>
      fine.replace('steps:', `rules: [{name: r, match: {to: cri, method: StopPodSandbox, pod: ${pod}}, fault: {kind: hang}}]\nsteps:`)
    expect(problemsOf(rule('job-0'))[0]).toContain("it is 'default/job-0', 'default/job-0-0' may be meant")
    expect(problemsOf(rule('job-0-1'))).toEqual([])
  })
})

test('readScenario() tells of a hundred mistakes, and how many more there are', () => {
  const says = problemsOf(changed(['given:', `given:\n${'  - {never: {watch: odd}}\n'.repeat(150)}`]))
  expect(says).toHaveLength(101)
  expect(says.at(-1)).toBe('it has 50 more mistakes')
})
