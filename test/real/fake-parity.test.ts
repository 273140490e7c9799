import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {type Container, ContainerSchema, ImageSchema, type PodSandbox, PodSandboxSchema} from '../../src/wire/gen/cri_pb.ts'
import {builtPeers} from '../support/built-peers.ts'
import {crictlAt} from '../support/crictl.ts'
import {type FakeRuntime, fakeRuntime} from '../support/fake-runtime.ts'
import {filled} from '../support/filled.ts'
import {printed} from '../support/kubelimbo.ts'
import {type Client, expectParity} from './parity.ts'

// What no containerd on this machine can be brought to: fields of newer runtimes, and extremes.
const sandboxes = [
  filled<PodSandbox>(PodSandboxSchema, 'é'),
  {id: 'empty-metadata', metadata: {}},
  {id: 'no-metadata'},
  {id: 'extreme', metadata: {name: 'extreme', attempt: 2 ** 32 - 1}, createdAt: 9_223_372_036_854_775_807n},
  {id: 'f'.repeat(64), metadata: {name: 'x'.repeat(253), namespace: 'n'.repeat(63)}, createdAt: -1n, labels: {'': ''}},
]
const containers = [
  filled<Container>(ContainerSchema, 'é'),
  {id: 'empty-metadata', metadata: {}, image: {}},
  {id: 'no-metadata', image: {image: 'none'}},
  {id: 'digest', metadata: {name: 'digest'}, image: {image: `sha256:${'a1'.repeat(32)}`}, podSandboxId: 'b'.repeat(64)},
]

let folder: string
let runtime: FakeRuntime
let crictl: Client
const ours: Client = (...args) => printed([...args, '-r', `unix://${runtime.path}`])

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'limbo-'))
  const images = [filled<never>(ImageSchema, 'é')]
  runtime = await fakeRuntime({path: join(folder, 'cri.sock'), sandboxes, containers, images})
  const [binary = ''] = await builtPeers('crictl')
  crictl = crictlAt(binary, `unix://${runtime.path}`)
})
afterAll(async () => {
  await runtime?.[Symbol.asyncDispose]()
  await rm(folder, {recursive: true})
})

const flags: readonly string[][] = [
  ['pods'],
  ['pods', '--no-trunc'],
  ['pods', '--name', 'é$'],
  ['pods', '--name', '^$'],
  ['pods', '--namespace', 'n{63}'],
  ['pods', '-l'],
  ['pods', '-n', '2'],
  ['ps', '-a'],
  ['ps', '-a', '--no-trunc'],
  ['ps', '--name', 'é$'],
  ['ps', '-a', '--namespace', '.'],
  ['ps', '-n', '2'],
]

test.for(flags.map((each) => [each.join(' '), each] as const))('%s prints what crictl prints of strange replies', async ([, args]) => {
  await expectParity(crictl, ours, args)
})

const filtering: readonly string[][] = [
  ['pods', '--id', 'abc'],
  ['pods', '-s', 'ready', '--label', 'a=b', '--label', 'c=d'],
  ['pods', '-s', 'notready', '-l'],
  ['ps'],
  ['ps', '-a', '--id', 'abc', '-p', 'def'],
  ['ps', '-s', 'created', '--label', 'a=b'],
  ['ps', '-s', 'exited', '-n', '1'],
  ['ps', '-s', 'unknown'],
]

test.for(filtering.map((each) => [each.join(' '), each] as const))('%s asks the runtime for what crictl asks', async ([, args]) => {
  const asked = async (client: Client) => {
    const before = runtime.filters.length
    await client(...args, '-o', 'json')
    return runtime.filters.slice(before).map(plain)
  }
  expect(await asked(ours)).toContainEqual((await asked(crictl))[0])
})

// An empty filter and none ask for the same.
function plain(filter: unknown): unknown {
  return JSON.parse(JSON.stringify(filter ?? {}, (key, value) => (key === '$typeName' ? undefined : value)))
}
