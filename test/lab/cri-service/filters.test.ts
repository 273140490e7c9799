import type {MessageInitShape} from '@bufbuild/protobuf'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {type ContainerFilterSchema, ContainerState, type PodSandboxFilterSchema, PodSandboxState} from '../../../src/wire/gen/cri_pb.ts'
import {type LabClients, startLabClients} from '../../support/lab-clients.ts'

let lab: LabClients
let ids: Readonly<Record<'red' | 'blue' | 'gone' | 'r1' | 'r2' | 'b1', string>>

beforeAll(async () => {
  lab = await startLabClients()
  const red = await lab.run('red', {labels: {color: 'red', app: 'web'}})
  const blue = await lab.run('blue', {labels: {color: 'blue', app: 'web'}})
  const gone = await lab.run('gone')
  await lab.runtime.stopPodSandbox({podSandboxId: gone})
  const r1 = await lab.create(red, 'r1', {labels: {tier: 'front', 'io.kubernetes.pod.uid': 'uid-red'}})
  const r2 = await lab.create(red, 'r2', {labels: {tier: 'back'}})
  const b1 = await lab.create(blue, 'b1', {labels: {tier: 'front'}})
  await lab.runtime.startContainer({containerId: r1})
  ids = {red, blue, gone, r1, r2, b1}
})
afterAll(() => lab?.[Symbol.asyncDispose]())

type SandboxFilter = MessageInitShape<typeof PodSandboxFilterSchema>
const {SANDBOX_READY, SANDBOX_NOTREADY} = PodSandboxState

test.each<[string, () => SandboxFilter | undefined, string]>([
  ['no filter', () => undefined, 'red blue gone'],
  ['an empty filter', () => ({}), 'red blue gone'],
  ['an id', () => ({id: ids.red}), 'red'],
  ['the start of an id', () => ({id: ids.red.slice(0, 12)}), 'red'],
  ['an id that is nowhere', () => ({id: 'ffff'}), ''],
  ['a state', () => ({state: {state: SANDBOX_NOTREADY}}), 'gone'],
  ['the state that is 0 on the wire', () => ({state: {state: SANDBOX_READY}}), 'red blue'],
  ['a label', () => ({labelSelector: {app: 'web'}}), 'red blue'],
  ['two labels', () => ({labelSelector: {app: 'web', color: 'red'}}), 'red'],
  ['a label of another value', () => ({labelSelector: {app: 'db'}}), ''],
  ['a label that is of every object', () => ({labelSelector: {constructor: 'web'}}), ''],
  ['a state and a label', () => ({state: {state: SANDBOX_NOTREADY}, labelSelector: {app: 'web'}}), ''],
])('listPodSandbox() with %s', async (_, filter, expected) => {
  const asked = filter()
  const request = asked === undefined ? {} : {filter: asked}
  const {items} = await lab.runtime.listPodSandbox(request)
  expect(items.map(({metadata}) => metadata?.name).join(' ')).toBe(expected)
  // In pieces it says the same; the client of kubelimbo itself asks for those.
  expect((await lab.cri.listPodSandbox(asked)).items).toEqual(items)
})

type ContainerFilter = MessageInitShape<typeof ContainerFilterSchema>
const {CONTAINER_CREATED, CONTAINER_RUNNING} = ContainerState

test.each<[string, () => ContainerFilter | undefined, string]>([
  ['no filter', () => undefined, 'r1 r2 b1'],
  ['an id', () => ({id: ids.b1}), 'b1'],
  ['the start of an id', () => ({id: ids.b1.slice(0, 12)}), 'b1'],
  ['a sandbox', () => ({podSandboxId: ids.red}), 'r1 r2'],
  ['the start of the id of a sandbox', () => ({podSandboxId: ids.red.slice(0, 12)}), 'r1 r2'],
  ['a state', () => ({state: {state: CONTAINER_RUNNING}}), 'r1'],
  ['the state that is 0 on the wire', () => ({state: {state: CONTAINER_CREATED}}), 'r2 b1'],
  ['a label', () => ({labelSelector: {tier: 'front'}}), 'r1 b1'],
  ['a sandbox and a label', () => ({podSandboxId: ids.red, labelSelector: {tier: 'front'}}), 'r1'],
  ["the kubelet's own label", () => ({labelSelector: {'io.kubernetes.pod.uid': 'uid-red'}}), 'r1'],
])('listContainers() with %s', async (_, filter, expected) => {
  const asked = filter()
  const {containers} = await lab.runtime.listContainers(asked === undefined ? {} : {filter: asked})
  expect(containers.map(({metadata}) => metadata?.name).join(' ')).toBe(expected)
  expect((await lab.cri.listContainers(asked)).items).toEqual(containers)
})

test.each<[string, () => {id?: string; podSandboxId?: string; labelSelector?: Record<string, string>}, string]>([
  ['no filter', () => ({}), 'r1'],
  ['the start of an id', () => ({id: ids.r1.slice(0, 12)}), 'r1'],
  ['one that does not run', () => ({id: ids.r2}), ''],
  ['a sandbox', () => ({podSandboxId: ids.blue}), ''],
  ['a label', () => ({labelSelector: {tier: 'front'}}), 'r1'],
])('listContainerStats() with %s has what runs', async (_, filter, expected) => {
  const {stats} = await lab.runtime.listContainerStats({filter: filter()})
  expect(stats.map(({attributes}) => attributes?.metadata?.name).join(' ')).toBe(expected)
})

test('listPodSandboxStats() has what is ready', async () => {
  const {stats} = await lab.runtime.listPodSandboxStats({})
  expect(stats.map(({attributes, linux}) => [attributes?.metadata?.name, linux?.containers.length])).toEqual([
    ['red', 1],
    ['blue', 0],
  ])
})
