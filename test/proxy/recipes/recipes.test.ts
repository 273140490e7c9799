import {describe, expect, test} from 'vitest'
import {UserError} from '../../../src/base/errors.ts'
import {explain} from '../../../src/faults/explain.ts'
import {detectors} from '../../../src/findings/detectors.ts'
import {findRecipe} from '../../../src/proxy/recipes/find-recipe.ts'
import type {Recipe} from '../../../src/proxy/recipes/recipe.ts'
import {recipes} from '../../../src/proxy/recipes/recipes.ts'
import {rulesOf} from '../../../src/proxy/recipes/rules-of.ts'
import {shippedScenarios} from '../../../src/scenario/shipped.ts'

const narrowings = {
  pvc: {request: {volumeId: 'vol-1'}},
  driver: {},
  pod: {pod: 'default/web-0'},
  container: {request: {containerId: '0123456789abcdef'}},
  runtime: {},
} as const

const rows = recipes.map((recipe) => [recipe.name, recipe] as const)

describe('recipes', () => {
  test('have names of their own', () => {
    expect(new Set(recipes.map(({name}) => name)).size).toBe(recipes.length)
  })

  test('name scenarios that there are', async () => {
    const shipped = (await shippedScenarios()).map(({name}) => name)
    const named = recipes.flatMap(({scenario}) => scenario ?? [])
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((name) => !shipped.includes(name))).toEqual([])
  })

  test('name findings of check by their codes and names', () => {
    const said = recipes.flatMap(({see}) => see.flatMap(({why}) => [...why.matchAll(/([A-Z]\d\d) ([a-z-]+)/g)].map(([whole]) => whole)))
    const real = detectors.map(({code, name}) => `${code} ${name}`)
    expect(said.length).toBeGreaterThan(15)
    expect(said.filter((each) => !real.includes(each))).toEqual([])
  })

  test('have scenarios with a rule about the same method, where these have rules about calls', async () => {
    const scenarios = await shippedScenarios()
    const methods = recipes.flatMap(({name, scenario, rules}) => {
      const played = scenarios.find((each) => each.name === scenario)?.rules ?? []
      return played.length === 0 || rules.every(({method}) => method === undefined)
        ? []
        : [{name, own: rules.map(({method}) => method), played: played.map(({match}) => match.method)}]
    })
    expect(methods.filter(({own, played}) => !own.some((each) => each !== undefined && played.includes(each)))).toEqual([
      // The final error is that of a publish there.
      {name: 'stage-refused-late', own: ['NodeStageVolume'], played: ['NodePublishVolume', 'NodePublishVolume']},
    ])
  })

  test.each(rows)('%s ends each sentence and no summary with a full stop', (_, {summary, kubelet, see}) => {
    expect(summary).not.toMatch(/\.$/)
    for (const {text} of kubelet) expect(text).toMatch(/[.]$/)
    for (const {why} of see) expect(why).not.toMatch(/\.$/)
  })

  test('are explained by their rules', () => {
    const told = recipes.map((recipe) => [recipe.name, rulesOf(recipe, narrowings[recipe.aim]).map(explain)] as const)
    expect(Object.fromEntries(told)).toMatchInlineSnapshot(`
      {
        "create-container-lost": [
          "the first CreateContainer of default/web-0, counted for each pod by itself: run it, whatever its deadline, and never answer",
        ],
        "driver-gone": [
          "the socket: nobody listens on it, and its file stays",
        ],
        "driver-silent": [
          "the socket: connections are taken, and nothing is ever sent",
        ],
        "events-cut": [
          "every GetContainerEvents: run it and end its stream after 1 message with UNAVAILABLE",
        ],
        "exec-hang": [
          "every ExecSync of default/web-0: do not run it and never answer",
        ],
        "exit-unknown": [
          "every ContainerStatus with containerId 0123456789abcdef: run it and pass on its answer with status.state set to CONTAINER_UNKNOWN (the answer must be there as a whole)",
        ],
        "image-pull-hang": [
          "every PullImage of default/web-0: do not run it and never answer",
        ],
        "list-hang": [
          "every ListContainers: do not run it and never answer",
        ],
        "list-stale": [
          "every ListContainers: run it and answer what the same request was answered before (both must be there as a whole)",
          "every ListPodSandbox: run it and answer what the same request was answered before (both must be there as a whole)",
        ],
        "publish-fake": [
          "every NodePublishVolume with volumeId vol-1: do not run it and answer OK",
        ],
        "publish-hang": [
          "every NodePublishVolume with volumeId vol-1: do not run it and never answer",
        ],
        "publish-lost": [
          "every NodePublishVolume with volumeId vol-1: run it, whatever its deadline, and never answer",
        ],
        "run-sandbox-lost": [
          "the first RunPodSandbox of default/web-0, counted for each pod by itself: run it, whatever its deadline, and never answer",
        ],
        "runtime-hang": [
          "every call to cri: do not run it and never answer",
        ],
        "runtime-slow": [
          "every call to cri with containerId 0123456789abcdef: wait 181000 ms, then run it and pass on its answer",
        ],
        "stage-hang": [
          "every NodeStageVolume with volumeId vol-1: do not run it and never answer",
        ],
        "stage-lost": [
          "every NodeStageVolume with volumeId vol-1: run it, whatever its deadline, and never answer",
        ],
        "stage-refused-late": [
          "every NodeStageVolume with volumeId vol-1: run it, whatever its deadline, and answer INTERNAL",
        ],
        "start-container-lost": [
          "the first StartContainer of default/web-0, counted for each pod by itself: run it, whatever its deadline, and never answer",
        ],
        "stats-hang": [
          "every NodeGetVolumeStats: do not run it and never answer",
        ],
        "status-not-found": [
          "every ContainerStatus with containerId 0123456789abcdef: do not run it and answer NOT_FOUND",
        ],
        "stop-container-hang": [
          "every StopContainer of default/web-0: do not run it and never answer",
        ],
        "stop-sandbox-lost": [
          "the first StopPodSandbox of default/web-0, counted for each pod by itself: run it, whatever its deadline, and never answer",
        ],
        "unpublish-hang": [
          "every NodeUnpublishVolume with volumeId vol-1: do not run it and never answer",
        ],
        "unpublish-lost": [
          "every NodeUnpublishVolume with volumeId vol-1: run it, whatever its deadline, and never answer",
        ],
        "unstage-hang": [
          "every NodeUnstageVolume with volumeId vol-1: do not run it and never answer",
        ],
        "unstage-lost": [
          "every NodeUnstageVolume with volumeId vol-1: run it, whatever its deadline, and never answer",
        ],
        "unstage-refused-late": [
          "every NodeUnstageVolume with volumeId vol-1: run it, whatever its deadline, and answer INTERNAL",
        ],
      }
    `)
  })
})

describe('rulesOf()', () => {
  test('has as many calls as somebody asks for, whatever the recipe has', () => {
    expect(rulesOf(findRecipe('stage-lost'), {}, 3)).toMatchObject([{limit: 3}])
    expect(rulesOf(findRecipe('stop-sandbox-lost'), {}, 3)).toMatchObject([{limit: 3, per: 'pod'}])
    expect(rulesOf(findRecipe('stage-lost'), {})[0]).not.toHaveProperty('limit')
  })

  test("gives each of several rules a name of its own, and looks at no call for a socket's fault", () => {
    expect(rulesOf(findRecipe('list-stale'), {}).map(({name}) => name)).toEqual(['list-stale-containers', 'list-stale-sandboxes'])
    expect(rulesOf(findRecipe('driver-gone'), {request: {volumeId: 'vol-1'}})[0]?.match).toEqual({to: 'csi'})
    expect(() => rulesOf(findRecipe('driver-gone'), {}, 3)).toThrow('Cannot use --count with driver-gone as it is about the socket')
  })
})

describe('findRecipe()', () => {
  test('finds each by its name', () => {
    expect(recipes.map(({name}) => findRecipe(name))).toEqual<readonly Recipe[]>(recipes)
  })

  test.each([
    ['stage-lots', "'stage-lost' may be meant"],
    ['sandbox', "'run-sandbox-lost' or 'stop-sandbox-lost' may be meant"],
    ['quux', '--fault KIND makes a rule of your own'],
  ])('of %s has a hint', (name, hint) => {
    const error = thrownBy(() => findRecipe(name))
    expect(error).toBeInstanceOf(UserError)
    expect(error).toMatchObject({hint, message: expect.stringContaining(`: it is '${name}'`)})
  })
})

function thrownBy(action: () => unknown): unknown {
  try {
    action()
  } catch (error) {
    return error
  }
  return undefined
}
