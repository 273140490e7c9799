import {describe, expect, test} from 'vitest'
import {profileOf} from '../../src/kubelet/profiles.ts'
import type {LabNode, LabOptions} from '../../src/lab/lab-node.ts'
import {judge} from '../../src/scenario/judge.ts'
import {play, start} from '../../src/scenario/play.ts'
import {parseScenario} from '../../src/scenario/read-scenario.ts'
import {stubLabNode} from '../support/stub-lab-node.ts'

const scenarioOf = (steps: string, more = '', given = '[]', shows = 'log: some') =>
  parseScenario(
    `
apiVersion: kubelimbo/v1
kind: Scenario
name: some
label: A1
title: Some
why: Some.
pods:
  - {metadata: {name: p}, spec: {containers: [{name: main}, {name: never}]}}
  - {metadata: {name: nobody}, spec: {containers: [{name: main}]}}
  - {count: 3, metadata: {name: many, namespace: other}, spec: {containers: [{name: main}]}}
${more}
steps:
${steps}
until: 60s
given: ${given}
expect:
  1.17.3: {verdict: reproduced, that: [{eventually: {${shows}}}]}
  default: {verdict: fixed, that: [{never: {${shows}}}]}
`,
    'some.yaml',
  )

const profile = profileOf('1.17.3')

describe('play() does', () => {
  test.each([
    ['{at: 0s, create: p}', ['0.000 createPod default/p']],
    ['{at: 1500ms, create: other/many}', ['1.500 createPod other/many-0', '1.500 createPod other/many-1', '1.500 createPod other/many-2']],
    ['{at: 2s, delete: other/many-1}', ['2.000 deletePod other/many-1']],
    ['{at: 2s, delete: {pod: p, gracePeriod: 5s}}', ['2.000 deletePod default/p 5']],
    ['{at: 2s, removeFinalizers: p}', ['2.000 removeFinalizers default/p']],
    ['{at: 2s, killContainer: {pod: p, container: main, exitCode: 3}}', ['2.000 killContainer default/p main 3']],
    ['{at: 2s, killContainer: {pod: p, container: main}}', ['2.000 killContainer default/p main 137']],
    ['{at: 2s, removeContainer: {pod: p, container: main}}', ['2.000 removeContainer default/p main']],
    ['{at: 2s, loseContainer: {pod: p, container: main}}', ['2.000 loseContainer default/p main']],
    ['{at: 2s, evict: {pod: p, message: low}}', ['2.000 evict default/p low']],
    [
      '{at: 2s, readiness: {pod: other/many-*, container: main, ready: false}}',
      [0, 1, 2].map((each) => `2.000 readiness other/many-${each} main false`),
    ],
    ['{at: 2s, restartKubelet: {down: 3s}}', ['2.000 restart 3000']],
    ['{at: 2s, restartDriver: {driver: d, down: 3s}}', ['2.000 restartDriver d 3000 false']],
    ['{at: 2s, restartDriver: {driver: d, unregister: true}}', ['2.000 restartDriver d 1000 true']],
    [
      '{at: 2s, addRule: {name: r, match: {to: cri, method: ExecSync}, fault: {kind: hold, for: 4s}}}',
      ['2.000 addRule r {"kind":"hold","ms":4000}'],
    ],
  ])('play() does %s', async (step, done) => {
    const node = stubLabNode()
    const played = await play(scenarioOf(`  - ${step}`, 'drivers: [{name: d}]'), {profile, seed: 1, startNode: node.startNode})
    expect(node.done).toEqual(done)
    expect(played.failures).toEqual([])
    expect(played.events.filter(({kind}) => kind === 'step')).toHaveLength(done.length)
    expect(played.end).toBe(start + 60_000)
  })
})

test('play() hands the rules, the drivers, the claims, the configuration and the seed to the node', async () => {
  const node = stubLabNode()
  const more =
    'kubelet: {kubeAPIQPS: 5}\ndrivers: [{name: d, takes: {NodeStageVolume: 130s}}]\nclaims: [{name: data, volumeMode: Block}]\nrules: [{name: r, limit: 1, match: {to: cri, method: StopPodSandbox, pod: p}, fault: {kind: lose-reply}}]'
  await play(scenarioOf('  - {at: 0s, create: p}', more), {profile, seed: 7, startNode: node.startNode})
  expect(node.options()).toMatchObject({
    profile,
    seed: 7,
    start,
    config: {kubeAPIQPS: 5},
    drivers: [{name: 'd', takes: {NodeStageVolume: 130_000}}],
    claims: [{namespace: 'default', name: 'data', driver: 'd', volumeHandle: 'vol-data', volumeMode: 'Block'}],
    rules: [{name: 'r', limit: 1, match: {pod: 'default/p'}, fault: {kind: 'lose-reply'}}],
  })
})

test("play() makes paths and removes them with all that is in them, below the kubelet's root", async () => {
  const steps = `
  - {at: 1s, makePath: pods/u1/volumes}
  - {at: 1s, makePath: /elsewhere/pods/u1}
  - {at: 2s, removePath: pods/*}
  - {at: 3s, removePath: pods/u1}`
  let disk: LabNode['disk'] | undefined
  const node = stubLabNode((started) => {
    disk = started.disk
  })
  const {failures} = await play(scenarioOf(steps), {profile, seed: 1, startNode: node.startNode})
  expect(disk?.listing('/').map(({path}) => path)).toEqual([
    '/elsewhere',
    '/elsewhere/pods',
    '/elsewhere/pods/u1',
    ...'/var/lib/kubelet/pods'
      .split('/')
      .slice(1)
      .map((_, index, all) => `/${all.slice(0, index + 1).join('/')}`),
  ])
  expect(failures).toEqual(['remove pods/u1 at 3 s: Cannot remove pods/u1 as the disk must have it: it has nothing such now'])
})

describe('play() waits', () => {
  const exits = (at: number) =>
    stubLabNode(async (node) => {
      const {sleep} = node as unknown as {sleep: (ms: number) => Promise<void>}
      await sleep(at)
      node.timeline.container({what: 'exited', pod: 'default/p', uid: 'u', container: 'main', id: 'c', exitCode: 1})
      const call = node.timeline.call({to: 'cri', method: 'StopContainer', request: {}})
      await sleep(3000)
      call.outcome = 'OK'
      call.endedAt = node.now()
    })
  const steps = (when: string) => scenarioOf(`  - {at: 1s, create: p}\n  - {${when}, delete: p}`)

  test.each([
    ['for what happens and a while more, to the millisecond', 'after: {runtime: exited}, plus: 200ms', 4321, '4.521'],
    ['for what happened with the step before', 'after: {step: create}, plus: 2s', 4321, '3.000'],
    ['for the end of a call', 'after: {call: StopContainer, outcome: OK}, plus: 1s', 4321, '8.321'],
    ['no longer than a moment when that comes', 'after: {runtime: exited}', 4321, '4.321'],
  ])('play() waits %s', async (_, when, at, done) => {
    const node = exits(at)
    const {failures} = await play(steps(when), {profile, seed: 1, startNode: node.startNode})
    expect(failures).toEqual([])
    const [, deleted = ''] = node.done
    expect(Number(deleted.split(' ')[0])).toBeGreaterThanOrEqual(Number(done))
    expect(Number(deleted.split(' ')[0])).toBeLessThan(Number(done) + (when.includes('plus') ? 0.001 : 0.02))
  })

  test('play() waits as long as the step says, and tells what did not happen', async () => {
    const node = exits(5000)
    const {failures} = await play(steps('after: {runtime: exited}, within: 2s'), {profile, seed: 1, startNode: node.startNode})
    expect(failures).toEqual(['a container exited did not happen by 3 s, and a step waited for it'])
    expect(node.done).toEqual(['1.000 createPod default/p'])
  })

  test('play() does not wait in vain for what was before', async () => {
    const node = exits(500)
    const {failures} = await play(steps('after: {runtime: exited}, optional: true'), {profile, seed: 1, startNode: node.startNode})
    expect(failures).toEqual([])
    expect(node.done).toEqual(['1.000 createPod default/p'])
  })
})

test.each([
  ['delete: nobody', ['delete default/nobody at 2 s: NotFound']],
  [
    'removeContainer: {pod: p, container: never}',
    ['remove container never of default/p from the runtime at 2 s: Cannot do this to a container never'],
  ],
  ['delete: nobody, optional: true', []],
])('play() tells that it could not do %s', async (step, failures) => {
  const played = await play(scenarioOf(`  - {at: 2s, ${step}}`), {profile, seed: 1, startNode: stubLabNode().startNode})
  expect(played.failures).toEqual(failures)
})

describe('judge() of rules', () => {
  const rules = (names: readonly string[]) =>
    `rules: [${names.map((name) => `{name: ${name}, match: {to: cri, method: StopPodSandbox}, fault: {kind: hang}}`).join(', ')}]`
  const judged = async (names: readonly string[], version: '1.17.3' | '1.18.2') => {
    const scenario = scenarioOf('  - {at: 0s, create: p}', rules(names))
    return judge(
      scenario,
      profileOf(version),
      await play(scenario, {profile: profileOf(version), seed: 1, startNode: stubLabNode().startNode}),
    )
  }

  test('says which no call was hit by where the verdict is not the expected one', async () => {
    const {idleRules, why, verdict} = await judged(['a', 'b'], '1.17.3')
    expect([verdict, idleRules]).toEqual(['not reproduced', ['a', 'b']])
    expect(why).toMatch(/; no call was hit by the rules 'a', 'b'$/)
    expect((await judged(['a'], '1.17.3')).why).toMatch(/; no call was hit by the rule 'a'$/)
    expect((await judged(['a', 'b', 'c', 'd', 'e'], '1.17.3')).why).toMatch(/ by the rules 'a', 'b', 'c' and 2 more$/)
  })

  test('says nothing of them where it is', async () => {
    expect(await judged(['a'], '1.18.2')).toMatchObject({met: true, idleRules: [], why: expect.not.stringContaining('no call was hit')})
  })
})

describe('judge()', () => {
  const verdictOf = async (version: string, step = 'create: p', given = '[]', lateMs?: number) => {
    // The second step is never done: nothing is removed.
    const steps = `  - {at: 2s, ${step}}\n  - {after: {runtime: removed}, optional: true, create: p}`
    const scenario = scenarioOf(steps, '', given, 'step: create default/p')
    const {startNode} = stubLabNode()
    const late = lateMs === undefined ? {} : {late: () => lateMs}
    const own = (options: LabOptions) => ({...startNode(options), ...late})
    return judge(scenario, profileOf(version), await play(scenario, {profile: profileOf(version), seed: 1, startNode: own}))
  }

  test('judge() says reproduced when all that is expected of this kubelet holds', async () => {
    expect(await verdictOf('1.17.3')).toMatchObject({
      verdict: 'reproduced',
      expected: 'reproduced',
      met: true,
      why: expect.stringContaining('at 2 s'),
    })
  })

  test('judge() says not fixed when it does not, and whose way it was', async () => {
    expect(await verdictOf('1.18.2')).toMatchObject({
      verdict: 'not fixed',
      met: false,
      why: expect.stringMatching(/\(it did as is expected of 1\.17\.3: reproduced\)$/),
    })
  })

  test('judge() says not reproduced', async () => {
    expect(await verdictOf('1.17.3', 'delete: p')).toMatchObject({verdict: 'not reproduced', met: false})
  })

  test('judge() says fixed of a kubelet that is not named', async () => {
    expect(await verdictOf('1.26.5', 'delete: p')).toMatchObject({verdict: 'fixed', met: true})
  })

  test.each([
    ['what was given is not', 'create: p', '[{eventually: {runtime: exited}}]', /^a container exited never happened/],
    ['a step could not be done', 'create: nobody', '[]', /NotFound$/],
  ])('judge() is inconclusive when %s, whatever else holds', async (_, step, given, why) => {
    expect(await verdictOf('1.17.3', step, given)).toMatchObject({verdict: 'inconclusive', met: false, why: expect.stringMatching(why)})
  })

  test('judge() is inconclusive when it is not as expected and the kubelet was late, and tells both', async () => {
    const late = await verdictOf('1.18.2', 'create: p', '[]', 1900)
    expect(late).toMatchObject({verdict: 'inconclusive', met: false})
    expect(late.why).toMatch(/never.*; but the kubelet was up to 1\.9 s late, which may be why: with a lower --scale it is less so$/)
    expect(late).not.toHaveProperty('showed')
    expect(await verdictOf('1.18.2', 'create: p', '[]', 500)).toMatchObject({verdict: 'not fixed'})
    expect(await verdictOf('1.17.3', 'create: p', '[]', 1900)).toMatchObject({verdict: 'reproduced', met: true})
  })
})
