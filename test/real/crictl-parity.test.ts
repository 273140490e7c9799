import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {type Containerd, startContainerd} from '../support/containerd.ts'
import type {Release} from '../support/containerd-parts.ts'
import {printed} from '../support/kubelimbo.ts'
import {expectParity} from './parity.ts'
import {type Population, populate} from './population.ts'

type Flags = (ids: Population) => readonly string[]

const podFlags: readonly Flags[] = [
  () => [],
  () => ['--state', 'ready'],
  () => ['--state', 'notready'],
  () => ['-s', 'NotReady', '--no-trunc'],
  () => ['--name', '^web$'],
  () => ['--name', 'WEB'],
  () => ['--name', 'dots\\+and\\(braces'],
  () => ['--namespace', '^kube-'],
  () => ['--namespace', 'kube-system', '--name', 'e'],
  () => ['--label', 'app=web'],
  () => ['--label', 'app=web', '--label', 'tier=back'],
  () => ['--label', 'app=none'],
  ({sandbox}) => ['--id', sandbox],
  ({sandbox}) => ['--id', sandbox.slice(0, 13)],
  () => ['--id', 'no-such-id'],
  () => ['-l'],
  () => ['-n', '3'],
  () => ['--last=2', '--state', 'ready'],
  () => ['-n', '0'],
  () => ['--name', 'restarted', '-s', 'ready'],
]

const containerFlags: readonly Flags[] = [
  () => [],
  () => ['-a'],
  () => ['-a', '--no-trunc'],
  () => ['-s', 'exited'],
  () => ['--state', 'created'],
  () => ['--state', 'Running', '--namespace', 'kube-system'],
  () => ['-s', 'unknown'],
  () => ['-a', '--name', '^fail'],
  () => ['--namespace', 'default'],
  () => ['-a', '--label', 'role=main'],
  () => ['--label', 'role=main', '--label', 'app=web'],
  ({container}) => ['--id', container],
  ({container}) => ['-a', '--id', container.slice(0, 13)],
  () => ['-l'],
  () => ['-n', '3'],
  () => ['-s', 'exited', '-n', '2'],
  () => ['-a', '--name', 'failing', '-l'],
  ({sandbox}) => ['-a', '--pod', sandbox],
  ({sandbox}) => ['-p', sandbox.slice(0, 13), '-s', 'created'],
  () => ['-a', '--image', 'localhost/busybox:1'],
  () => ['-a', '--image', 'localhost/pause:1'],
  () => ['-a', '--image', 'localhost/none:1'],
]

describe.each<Release>(['debian', 'newest'])('against a real containerd (%s)', (release) => {
  let rig: Containerd
  let ids: Population
  const ours = (...args: readonly string[]) => printed([...args, '-r', rig.endpoint])

  beforeAll(async () => {
    rig = await startContainerd(release)
    ids = await populate(rig)
  })
  afterAll(() => rig?.[Symbol.asyncDispose]())

  const title = (flags: Flags) => flags({sandbox: 'SANDBOX-WHOLE', container: 'CONTAINER-WHOLE'}).join(' ')

  test.for(podFlags.map((flags) => [title(flags), flags] as const))('pods %s prints what crictl prints', async ([, flags]) => {
    await expectParity(rig.crictl, ours, ['pods', ...flags(ids)])
  })

  test.for(containerFlags.map((flags) => [title(flags), flags] as const))('ps %s prints what crictl prints', async ([, flags]) => {
    await expectParity(rig.crictl, ours, ['ps', ...flags(ids)])
  })

  // Not the annotated ones: we escape what would move a terminal's cursor.
  test.for([
    ['pods', '-v', '--name', '^[^a]'],
    ['ps', '-v', '--name', '^[^a]'],
  ])('%s %s prints the paragraphs that crictl prints', async (args) => {
    const steady = (text: string) => text.replaceAll(/^Created: .* ago$/gm, 'Created: some time ago').trimEnd()
    expect(steady(await ours(...args))).toBe(steady(await rig.crictl(...args)))
  })
})
