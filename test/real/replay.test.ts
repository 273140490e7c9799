// crictl sees of a replayed bundle what it saw of the node.
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {builtPeers} from '../support/built-peers.ts'
import {type Containerd, startContainerd} from '../support/containerd.ts'
import type {Release} from '../support/containerd-parts.ts'
import {type Crictl, crictlAt} from '../support/crictl.ts'
import {printed} from '../support/kubelimbo.ts'
import {type Replaying, startReplay} from '../support/replaying.ts'
import {until} from '../support/until.ts'
import {type Population, populate} from './population.ts'

type Words = (ids: Population) => readonly string[]

const same: readonly Words[] = [
  () => ['version'],
  () => ['pods'],
  () => ['pods', '-o', 'json'],
  () => ['pods', '-q'],
  () => ['pods', '--state', 'ready', '-o', 'json'],
  () => ['pods', '--state', 'notready', '-q'],
  () => ['pods', '--name', '^web$', '-o', 'json'],
  () => ['pods', '--label', 'app=web', '--label', 'tier=back', '-o', 'json'],
  () => ['pods', '--label', 'app=none', '-o', 'json'],
  ({sandbox}) => ['pods', '--id', sandbox.slice(0, 13), '-o', 'json'],
  () => ['pods', '--id', 'no-such-id', '-o', 'json'],
  () => ['ps'],
  () => ['ps', '-a', '-o', 'json'],
  () => ['ps', '-a', '-q'],
  () => ['ps', '-s', 'exited', '-o', 'json'],
  () => ['ps', '-a', '--name', '^fail', '-o', 'json'],
  () => ['ps', '-a', '--label', 'role=main', '-o', 'json'],
  ({container}) => ['ps', '-a', '--id', container.slice(0, 13), '-o', 'json'],
  ({sandbox}) => ['ps', '-a', '--pod', sandbox, '-o', 'json'],
  () => ['ps', '-a', '--image', 'localhost/busybox:1', '-o', 'json'],
  () => ['images', '-o', 'json'],
  () => ['images', '-q'],
  () => ['images', 'localhost/busybox:1'],
  () => ['info'],
  () => ['runtime-config'],
]

/** Of these some fields are others: see below. */
const redacted: readonly Words[] = [
  ({sandbox}) => ['inspectp', sandbox],
  ({sandbox}) => ['inspectp', sandbox.slice(0, 13)],
  ({container}) => ['inspect', container],
  ({container}) => ['inspect', container.slice(0, 13)],
  () => ['inspecti', 'localhost/busybox:1'],
]

const moving: readonly Words[] = [
  () => ['imagefsinfo', '-o', 'json'],
  () => ['stats', '-o', 'json'],
  ({container}) => ['stats', '-o', 'json', container],
  () => ['statsp', '-o', 'json'],
  ({sandbox}) => ['statsp', '-o', 'json', sandbox],
]

const refused: readonly Words[] = [
  ({container}) => ['stop', container],
  ({sandbox}) => ['rmp', '-f', sandbox],
  () => ['rmi', 'localhost/busybox:1'],
]

const unknown: readonly Words[] = [
  () => ['inspect', 'no-such-id'],
  () => ['inspectp', 'no-such-id'],
  () => ['inspecti', 'localhost/none:1'],
]

describe.each<Release>(['debian', 'newest'])('a bundle of a node with containerd (%s)', (release) => {
  let rig: Containerd
  let ids: Population
  let folder: string
  let replay: Replaying
  let replayed: Crictl

  beforeAll(async () => {
    rig = await startContainerd(release)
    ids = await populate(rig)
    // Until it has looked once at all that runs, it fails.
    await until(() => rig.crictl('statsp', '-o', 'json'))
    folder = await mkdtemp(join(tmpdir(), 'kl-replay-'))
    const bundle = join(folder, 'node.tar.gz')
    await printed(['snapshot', bundle, '-r', rig.endpoint, '--kubelet-root', folder])
    replay = await startReplay(bundle)
    const [crictl = ''] = await builtPeers('crictl')
    replayed = crictlAt(crictl, replay.runtime)
  })
  afterAll(async () => {
    await replay?.[Symbol.asyncDispose]()
    await rig?.[Symbol.asyncDispose]()
    if (folder) await rm(folder, {recursive: true, force: true})
  })

  const title = (words: Words) => words({sandbox: 'SANDBOX-WHOLE', container: 'CONTAINER-WHOLE'}).join(' ')
  const cases = (all: readonly Words[]) => all.map((words) => [title(words), words] as const)

  test.for(cases(same))('crictl %s prints the same', async ([, words]) => {
    expect(withoutAges(await said(replayed(...words(ids))))).toBe(withoutAges(await said(rig.crictl(...words(ids)))))
  })

  test.for(cases(redacted))('crictl %s prints the same but for values of the environment', async ([, words]) => {
    const [there, here] = [await replayed(...words(ids)), await rig.crictl(...words(ids))]
    expect(there).toBe(withMarks(here, there))
    expect(placesOfMarks(JSON.parse(there)).filter((place) => !/\.envs?\.\d+(?:\.value)?$/i.test(place))).toEqual([])
  })

  test.for(cases(moving))('crictl %s prints the same but for what moves', async ([, words]) => {
    expect(withoutNumbers(await said(replayed(...words(ids))))).toBe(withoutNumbers(await said(rig.crictl(...words(ids)))))
  })

  test.for(cases(unknown))('crictl %s fails with the same words', async ([, words]) => {
    expect(await said(replayed(...words(ids)))).toBe(await said(rig.crictl(...words(ids))))
  })

  test.for(cases(refused))('crictl %s is refused', async ([, words]) => {
    expect(await said(replayed(...words(ids)))).toContain('a replay is read-only')
    expect(await replayed('ps', '-a', '-q')).toBe(await rig.crictl('ps', '-a', '-q'))
  })
})

/** A table says how old something is. */
function withoutAges(text: string): string {
  return text.replaceAll(/(?:About an?|Less than a|\d+) (?:seconds?|minutes?|hours?)(?: ago)? */g, 'AGE ')
}

function withMarks(text: string, there: string): string {
  const lines = there.split('\n')
  return text
    .split('\n')
    .map((line, index) => (lines[index]?.includes('[redacted]') ? lines[index] : line))
    .join('\n')
}

function placesOfMarks(value: unknown, at = ''): string[] {
  if (typeof value === 'string') return value.includes('[redacted]') ? [at] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) => placesOfMarks(each, `${at}.${name}`))
}

/** And in the order of the ids: containerd hands them out in none. What a core did in a second takes a second look to be told. */
function withoutNumbers(text: string): string {
  if (!text.startsWith('{')) return text
  const reply = JSON.parse(text, (name, value) => {
    if (name === 'usageNanoCores') return undefined
    return typeof value === 'number' || /^\d{1,25}$/.test(String(value)) ? 0 : value
  }) as {stats?: {attributes: {id: string}; linux?: {containers: {attributes: {id: string}}[]}}[]}
  const byId = (a: {attributes: {id: string}}, b: {attributes: {id: string}}) => (a.attributes.id < b.attributes.id ? -1 : 1)
  reply.stats?.sort(byId)
  for (const each of reply.stats ?? []) each.linux?.containers.sort(byId)
  return JSON.stringify(reply, null, 2)
}

/** What it printed, or how it failed. */
async function said(ran: Promise<string>): Promise<string> {
  return await ran.catch(({stderr = ''}: {stderr?: string}) => stderr.replaceAll(/time="[^"]*" |E\d+ [\d:.]+ +\d+ /g, ''))
}
