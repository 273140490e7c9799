// What recipes say of kubelets is what the model of that kubelet does with their rules.
import {afterAll, describe, expect, test} from 'vitest'
import {profileOf, profileVersions} from '../../../src/kubelet/profiles.ts'
import {type LabOptions, startLabNode} from '../../../src/lab/lab-node.ts'
import type {VolumeMode} from '../../../src/node/claim.ts'
import {findRecipe} from '../../../src/proxy/recipes/find-recipe.ts'
import {kubeletSentences} from '../../../src/proxy/recipes/kubelet-words.ts'
import {rulesOf} from '../../../src/proxy/recipes/rules-of.ts'
import {play, start, usualSeed} from '../../../src/scenario/play.ts'
import {parseScenario} from '../../../src/scenario/read-scenario.ts'

/** A pod with a volume and a container that ignores TERM, deleted when the fault has had its effect, or before. */
const scenario = (mode: VolumeMode) =>
  parseScenario(
    `apiVersion: kubelimbo/v1
kind: Scenario
name: recipe
label: recipe
title: A recipe
why: for a test
drivers: [{name: csi.example.com}]
claims: [{name: data${mode === 'block' ? ', volumeMode: Block' : ''}}]
pods:
  - {metadata: {name: bystander}, spec: {containers: [{name: main, image: busybox, command: [sleep, infinity]}]}}
  - metadata: {name: web-0}
    spec:
      terminationGracePeriodSeconds: 2
      volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
      containers: [{name: main, image: busybox, command: [sleep, infinity]}]
steps:
  - {at: 0s, create: web-0}
  - {at: 0s, create: bystander}
  - {at: ${deletedAt}s, delete: web-0}
until: 10m
given: [{what: there is a pod, eventually: {watch: ADDED, pod: web-0}}]
expect: {default: {verdict: fixed, that: [{what: there is a pod, eventually: {watch: ADDED, pod: web-0}}]}}
`,
    'recipe.yaml',
  )

const deletedAt = 8

/** Seconds since the start. */
interface Run {
  readonly calls: (
    method: string,
  ) => readonly {readonly at: number; readonly ended: number; readonly outcome: string | undefined; readonly attempt?: unknown}[]
  readonly log: string
  /** Infinity: the pod's object is still there. */
  readonly gone: number
}

async function runOf(recipe: string, version: string, mode: VolumeMode): Promise<Run> {
  const found = findRecipe(recipe)
  const rules = rulesOf(found, found.aim === 'pod' ? {pod: 'default/web-0'} : {})
  const startNode = (options: LabOptions) => startLabNode({...options, rules})
  const {events} = await play(scenario(mode), {profile: profileOf(version), seed: usualSeed, startNode})
  const seconds = (at = Number.POSITIVE_INFINITY) => (at - start) / 1000
  return {
    calls: (method) =>
      events.flatMap((each) =>
        each.kind === 'call' && each.method === method && (each.pod === undefined || each.pod === 'default/web-0')
          ? [{at: seconds(each.at), ended: seconds(each.endedAt), outcome: each.outcome, attempt: each.request.attempt}]
          : [],
      ),
    log: events.flatMap((each) => (each.kind === 'log' ? [`${each.text} ${JSON.stringify(each.fields)}`] : [])).join('\n'),
    gone: seconds(events.find((each) => each.kind === 'object' && each.type === 'DELETED' && each.pod === 'default/web-0')?.at),
  }
}

const first = (run: Run, method: string) => run.calls(method)[0]?.at ?? Number.POSITIVE_INFINITY
const gap = (run: Run, from: string, to: string) => first(run, to) - first(run, from)
const between = (value: number, least: number, most: number) => value >= least && value <= most
/** From the end of each call to the next. */
const pauses = (run: Run, method: string) =>
  run
    .calls(method)
    .map(({at}, index, all) => (index === 0 ? 0 : at - (all[index - 1]?.ended ?? 0)))
    .slice(1)
const methodIn = (text: string) => /Node\w+Volume/.exec(text)?.[0] ?? ''

/** Parts of sentences, and what a run must be like for them. */
const claims: readonly (readonly [RegExp, (run: Run, text: string) => boolean])[] = [
  [
    /gets 2 minutes, what the driver/,
    (run, text) =>
      run
        .calls(methodIn(text))
        .every(({at, ended}) => between(ended - at, 119, 120.1) || ended === Number.POSITIVE_INFINITY || ended > 600),
  ],
  [
    /up to 2 min 2 s/,
    (run, text) =>
      pauses(run, methodIn(text)).every((pause, index) => between(pause, 0.5 * 2 ** index, 0.5 * 2 ** index + 0.3) || pause >= 122),
  ],
  [/forgotten without NodeUnstageVolume|no NodeUnstageVolume/, (run) => run.calls('NodeUnstageVolume').length === 0],
  [/there is no NodeUnpublishVolume/, (run) => run.calls('NodeUnpublishVolume').length === 0],
  [/GetDeviceBindMountRefs check failed/, (run) => run.log.includes('GetDeviceBindMountRefs')],
  [/UnmountVolume\.NewUnmounter failed/, (run) => run.log.includes('UnmountVolume.NewUnmounter failed')],
  [/is gone within seconds/, ({gone}) => between(gone - deletedAt, 0, 12)],
  [/deleted (meanwhile )?is gone a second or two later/, ({gone}) => between(gone - deletedAt, 0, 2)],
  [
    /Terminating until the wait for its volumes is over, 2 min 3 s/,
    (run) => between(run.gone, 122, 125) && run.calls('NodeStageVolume').filter(({at}) => at < run.gone).length === 2,
  ],
  [
    /NodeUnstageVolume follows within 0.5 s of the end of the last call/,
    (run) => between(first(run, 'NodeUnstageVolume') - (run.calls('NodeStageVolume').at(-1)?.ended ?? 0), 0, 0.5),
  ],
  [
    /NodeUnstageVolume follows when the call has had its 2 minutes/,
    (run) => between(first(run, 'NodeUnstageVolume') - first(run, 'NodePublishVolume'), 119.5, 121),
  ],
  [
    /has had its 2 minutes NodeUnpublishVolume follows|2 minutes, as the volume is seen mounted for it/,
    (run) => between(gap(run, 'NodePublishVolume', 'NodeUnpublishVolume'), 119.5, 120.3),
  ],
  [/0\.1 s later NodeUnstageVolume/, (run) => between(gap(run, 'NodeUnpublishVolume', 'NodeUnstageVolume'), 0.05, 0.3)],
  [
    /called a second time 0\.5 s after/,
    (run) => between(pauses(run, 'NodePublishVolume')[0] ?? 0, 0.5, 0.8) && run.calls('NodePublishVolume').length === 2,
  ],
  [/after 4 minutes in all NodeUnpublishVolume follows/, (run) => between(gap(run, 'NodePublishVolume', 'NodeUnpublishVolume'), 239, 242)],
  [/deleted is Terminating (to the end|until the call has had)/, (run) => run.gone >= first(run, 'NodeUnpublishVolume')],
  [
    /stays Terminating, and its volume is published again and again/,
    (run) => run.gone === Number.POSITIVE_INFINITY && run.calls('NodePublishVolume').length > 3,
  ],
  [
    /The pod is Terminating until one of these calls/,
    (run) => run.gone === Number.POSITIVE_INFINITY && run.calls('NodeUnstageVolume').length === 0,
  ],
  [/The pod does not wait for it and is gone/, (run) => between(run.gone - deletedAt, 0, 15) && run.calls('NodeUnstageVolume').length > 3],
  [/is unpublished, and 0\.1 s later unstaged/, (run) => between(gap(run, 'NodeUnpublishVolume', 'NodeUnstageVolume'), 0.05, 0.3)],
  [/until the 4 minutes are over; then the sandbox is stopped, and the pod is gone a second later/, (run) => between(run.gone, 240, 244)],
  [/housekeeping, each 2 s, stops the sandbox/, (run) => between(first(run, 'StopPodSandbox') - deletedAt, 0, 4)],
  [/StopPodSandbox gets 2 minutes: .* 0\.6 s later/, (run) => between(run.calls('StopPodSandbox')[1]?.at ?? 0, 130, 131)],
  [/It is gone up to 10 s after the second call/, (run) => between(run.gone - (run.calls('StopPodSandbox')[1]?.at ?? 0), 0, 10.1)],
  [/It is gone one or two seconds after the second call/, (run) => between(run.gone - (run.calls('StopPodSandbox')[1]?.at ?? 0), 0, 2)],
  [/deleted meanwhile is Terminating until the 2 minutes are over/, (run) => between(run.gone, 121, 126)],
  [
    /gets the grace period and 2 minutes more/,
    (run) => between((run.calls('StopContainer')[0]?.ended ?? 0) - first(run, 'StopContainer'), 121, 123),
  ],
  [/After that the pod is gone a second or two later/, (run) => between(run.gone - first(run, 'StopPodSandbox'), 0, 2)],
  [/After that the pod is gone up to 10 s later/, (run) => between(run.gone - first(run, 'StopPodSandbox'), 0, 10.1)],
  [
    /there is no second call .* the pod is gone up to 10 s later/,
    (run) => run.calls('NodeUnpublishVolume').length === 1 && between(run.gone - first(run, 'NodeUnstageVolume'), 0, 10.1),
  ],
]

const runs: readonly (readonly [string, readonly VolumeMode[]])[] = [
  ['stage-hang', ['filesystem', 'block']],
  ['stage-lost', ['filesystem', 'block']],
  ['publish-hang', ['filesystem', 'block']],
  ['publish-lost', ['filesystem', 'block']],
  ['unpublish-hang', ['filesystem', 'block']],
  ['unpublish-lost', ['filesystem', 'block']],
  ['unstage-hang', ['filesystem', 'block']],
  ['unstage-lost', ['filesystem', 'block']],
  ['run-sandbox-lost', ['filesystem']],
  ['create-container-lost', ['filesystem']],
  ['stop-sandbox-lost', ['filesystem']],
  ['stop-container-hang', ['filesystem']],
]

const held = new Set<RegExp>()

describe('what a kubelet does', () => {
  const rows = runs.flatMap(([recipe, modes]) =>
    modes.flatMap((mode) => profileVersions.map((version) => [recipe, mode, version] as const)),
  )
  test.each(rows)('about %s of a %s volume on %s is what the model does', async (recipe, mode, version) => {
    const run = await runOf(recipe, version, mode)
    const sentences = kubeletSentences(findRecipe(recipe).kubelet, profileOf(version), mode)
    const wrong = sentences.flatMap((text) =>
      claims
        .filter(([part]) => part.test(text))
        .flatMap(([part, isSo]) => {
          held.add(part)
          return isSo(run, text) ? [] : [`${text}: ${part}`]
        }),
    )
    expect({wrong, gone: wrong.length > 0 ? run.gone : undefined}).toEqual({wrong: [], gone: undefined})
  })

  afterAll(() => {
    expect(claims.map(([part]) => part).filter((part) => !held.has(part))).toEqual([])
  })
})
