// The shipped scenarios on the model, in this process: what each must show, and that no time but the simulated goes into it.
import {readdirSync, readFileSync} from 'node:fs'
import {Ajv} from 'ajv'
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest'
import {profileOf, profileVersions} from '../src/kubelet/profiles.ts'
import {type ReproRequest, repro} from '../src/repro.ts'
import {shippedScenarios} from '../src/scenario/shipped.ts'
import {publishedSchema} from './support/published-schema.ts'

const request: ReproRequest = {names: [], seed: 1, timelines: false, tool: 'kubelimbo 0.0.0'}
/** Thousands of pods in one of them, and other work on the machine. */
vi.setConfig({testTimeout: 30_000})

const names = (await shippedScenarios()).map(({name}) => name)

const timers = /Date\.now|new Date\(\)|setTimeout|setInterval|setImmediate|Math\.random|node:timers|performance\.now|hrtime/

/** Without thousands of pods. */
const few = names.filter((name) => name !== 'status-channel-backlog')

describe.each(names)('%s', (name) => {
  test.each(profileVersions)('repro() shows what is expected of %s, whatever the seed', async (version) => {
    for (const seed of [1, 2]) {
      const {scenarios} = await repro({...request, names: [name], profiles: version, seed})
      const [run] = scenarios[0]?.runs ?? []
      expect(run?.verdict, `seed ${seed}: ${run?.why}`).toBe(run?.expected)
    }
  })
})

test('repro() plays a scenario on the kubelets that it names, or on those before and after the fixes', async () => {
  const {scenarios, met} = await repro(request)
  expect(met).toBe(true)
  const played = Object.fromEntries(scenarios.map(({name, runs}) => [name, runs.map(({profile}) => profile)]))
  expect(played).toMatchObject({'failed-becomes-succeeded': ['1.17.3', '1.18.2'], 'fallback-exit-137': ['1.17.3', '1.18.2', '1.36.2']})
})

test.each([
  ['failed-becomes-succeeded', '1.17.3', '+ends-keep-exits', 'not reproduced'],
  ['failed-becomes-succeeded', '1.18.2', '-ends-keep-exits', 'not fixed'],
  ['success-without-status', '1.17.3', '+ends-keep-exits', 'not reproduced'],
  ['success-without-status', '1.18.2', '-ends-keep-exits', 'not fixed'],
  ['reason-cache-blocks-deletion', '1.17.3', '+deleted-ignores-reasons', 'not reproduced'],
  ['reason-cache-blocks-deletion', '1.18.2', '-deleted-ignores-reasons', 'not fixed'],
  ['terminal-pod-still-running', '1.17.3', '+ends-after-containers', 'not reproduced'],
  ['stage-timeout-filesystem', '1.17.3', '+uncertain-mounts', 'not reproduced'],
  ['stage-timeout-filesystem', '1.36.2', '-uncertain-mounts', 'not fixed'],
  ['teardown-without-target', '1.17.3', '+missing-map-is-unused', 'not reproduced'],
  ['unpublish-without-target', '1.18.2', '-unpublished-always', 'not fixed'],
  ['capability-error-on-retry', '1.36.2', '-capability-error-uncertain', 'not reproduced'],
  ['publish-without-stage', '1.21.2', '+failed-unmount-uncertain', 'not reproduced'],
  ['publish-without-stage', '1.26.5', '-failed-unmount-uncertain', 'not fixed'],
])('repro() of %s on %s with %s is %s', async (name, profiles, turns, verdict) => {
  const {scenarios, met, metadata} = await repro({...request, names: [name], profiles, turns})
  expect(scenarios[0]?.runs.map((run) => run.verdict)).toEqual([verdict])
  expect([met, metadata.switches]).toEqual([false, [turns]])
})

test.each((await shippedScenarios()).flatMap(({name, switches}) => switches.map((each) => [name, each] as const)))(
  'repro() of %s has another verdict somewhere when %s is turned',
  async (name, each) => {
    const changed: string[] = []
    for (const version of profileVersions) {
      const turns = `${profileOf(version).switches.has(each) ? '-' : '+'}${each}`
      const {met} = await repro({...request, names: [name], profiles: version, turns})
      if (!met) changed.push(version)
    }
    expect(changed).not.toEqual([])
  },
)

/** What is there is a call that comes where it must not: none is missing. */
const nothingMissing = ['publish-without-stage on 1.21.2']

const withVolumes = (await shippedScenarios()).filter(({claims}) => claims.length > 0).map(({name}) => name)

test.each(withVolumes)('repro() of %s tells of calls that are due and never came where the bug is, and nowhere else', async (name) => {
  const {scenarios} = await repro({...request, names: [name], profiles: profileVersions.join(','), timelines: true})
  for (const {profile, verdict, answers = []} of scenarios[0]?.runs ?? []) {
    const missing = answers.filter(({owed}) => owed?.dueAt !== undefined && owed.cameAt === undefined)
    const isMissing = verdict === 'reproduced' && !nothingMissing.includes(`${name} on ${profile}`)
    expect([profile, missing.length > 0], JSON.stringify(missing)).toEqual([profile, isMissing])
  }
})

test('nothing of the model, the lab and the scenarios names a timer, a clock of the machine or chance', () => {
  const named = ['timeline', 'kubelet', 'faults', 'lab', 'scenario'].flatMap((folder) =>
    readdirSync(`src/${folder}`, {recursive: true, encoding: 'utf8'})
      .filter((path) => path.endsWith('.ts'))
      .map((path) => `src/${folder}/${path}`)
      .filter((path) => timers.test(readFileSync(path, 'utf8'))),
  )
  expect(named).toEqual([])
  expect(timers.test(readFileSync('src/base/clock.ts', 'utf8'))).toBe(true)
})

test('repro() plays once what is named twice, scenarios, their files and kubelets', async () => {
  const name = 'failed-becomes-succeeded'
  const {scenarios} = await repro({
    ...request,
    names: [name, `./fixtures/scenarios/${name}.yaml`, `fixtures/scenarios/${name}.yaml`, name],
    profiles: '1.17.3, 1.17.3,1.36.2',
  })
  // One that is shipped and a file of somebody's are two, even if they say the same.
  expect(scenarios.map(({runs}) => runs.map(({profile}) => profile))).toEqual([['1.17.3', '1.36.2']])
})

test('repro() says what check finds on a node that has the bug, and on one that has not', async () => {
  const {scenarios} = await repro({...request, names: ['reason-cache-blocks-deletion'], profiles: '1.17.3,1.26.5'})
  const message = /never-0 should have been gone for .* never gets over that\. It refused \d+ updates/
  expect(scenarios[0]?.runs.map(({check}) => check)).toMatchObject([
    {at: 475_000, codes: ['P01'], named: true, findings: [{code: 'P01', severity: 'error', message: expect.stringMatching(message)}]},
    {at: 475_000, codes: ['P01'], named: false, findings: []},
  ])
})

test('repro() says nothing of check where a scenario names no finding', async () => {
  const {scenarios} = await repro({...request, names: ['status-head-of-line'], profiles: '1.36.2'})
  expect(scenarios[0]?.runs[0]).not.toHaveProperty('check')
})

test('repro() says the same twice, to the byte, with its timelines', async () => {
  const [one, other] = [await repro({...request, names: few, timelines: true}), await repro({...request, names: few, timelines: true})]
  expect(JSON.stringify(one)).toBe(JSON.stringify(other))
})

test('repro() has the shape that is published', async () => {
  const validate = new Ajv({strict: true, allErrors: true}).compile(publishedSchema('repro'))
  const report = JSON.parse(JSON.stringify(await repro({...request, names: few, timelines: true, turns: '+ends-keep-exits'})))
  expect(validate(report), JSON.stringify(validate.errors?.slice(0, 3))).toBe(true)
})

describe('repro() and the time of this machine', () => {
  const touched: string[] = []
  const forbidden = (name: string) => () => {
    touched.push(name)
    throw new Error(`${name} was touched`)
  }
  const RealDate = Date

  beforeEach(() => {
    touched.length = 0
    class OnlyOfMoments extends RealDate {
      constructor(...given: [] | [number | string]) {
        if (given.length === 0) forbidden('new Date()')()
        super(...(given as [number]))
      }
      static override now(): number {
        return forbidden('Date.now()')() as never
      }
    }
    vi.stubGlobal('Date', OnlyOfMoments)
    for (const name of ['setTimeout', 'setInterval'] as const) vi.stubGlobal(name, forbidden(name))
    vi.spyOn(performance, 'now').mockImplementation(forbidden('performance.now()') as never)
    vi.spyOn(process.hrtime, 'bigint').mockImplementation(forbidden('process.hrtime.bigint()') as never)
    vi.spyOn(Math, 'random').mockImplementation(forbidden('Math.random()') as never)
  })
  afterEach(() => {
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })

  test('repro() touches neither clocks nor timers nor chance', async () => {
    let failure: unknown
    const report = await repro(request).catch((error: unknown) => {
      failure = error
    })
    expect([touched, failure, report?.met]).toEqual([[], undefined, true])
  })

  test('the trap catches whoever does', () => {
    for (const act of [() => Date.now(), () => new Date(), () => setTimeout(() => undefined, 1), () => Math.random()]) {
      expect(act).toThrow('was touched')
    }
    expect(new Date(0).getTime()).toBe(0)
  })
})
