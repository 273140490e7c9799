import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {type CsiCaller, capabilityOf, codeOf, csiCaller} from '../../support/csi-caller.ts'
import {servedDriver} from '../../support/served-driver.ts'

let root: string
let served: Awaited<ReturnType<typeof servedDriver>>
let caller: CsiCaller

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'kl-'))
  served = await servedDriver(root, {name: 'd', capabilities: ['STAGE_UNSTAGE_VOLUME', 'GET_VOLUME_STATS']})
  caller = await csiCaller(served.endpoint)
  await caller.controller.createVolume({name: 'fs', volumeCapabilities: [mount], parameters: {tier: 'gold'}})
  await caller.controller.createVolume({name: 'blk', volumeCapabilities: [block], capacityRange: {requiredBytes: 100n}})
})
afterAll(async () => {
  caller[Symbol.dispose]()
  await served[Symbol.asyncDispose]()
  rmSync(root, {recursive: true})
})

const mount = capabilityOf('mount')
const block = capabilityOf('block')
const staging = '/var/lib/kubelet/staging'
const target = '/var/lib/kubelet/target'
const stageAt = {volumeId: 'fs', stagingTargetPath: staging, volumeCapability: mount}
const publishAt = {...stageAt, targetPath: target}

type Call = (calls: CsiCaller) => Promise<unknown>

test.each<[string, Call, string]>([
  ['NodeStageVolume without a volume', ({node}) => node.nodeStageVolume({...stageAt, volumeId: ''}), 'INVALID_ARGUMENT'],
  ['NodeStageVolume without a path', ({node}) => node.nodeStageVolume({...stageAt, stagingTargetPath: ''}), 'INVALID_ARGUMENT'],
  ['NodeStageVolume of a relative path', ({node}) => node.nodeStageVolume({...stageAt, stagingTargetPath: 'a/b'}), 'INVALID_ARGUMENT'],
  ['NodeStageVolume of a path that is none', ({node}) => node.nodeStageVolume({...stageAt, stagingTargetPath: '/a\0'}), 'INVALID_ARGUMENT'],
  [
    'NodeStageVolume without a capability',
    ({node}) => node.nodeStageVolume({volumeId: 'fs', stagingTargetPath: staging}),
    'INVALID_ARGUMENT',
  ],
  ['NodeStageVolume without an access', ({node}) => node.nodeStageVolume({...stageAt, volumeCapability: {}}), 'INVALID_ARGUMENT'],
  ['NodeStageVolume of another mode', ({node}) => node.nodeStageVolume({...stageAt, volumeCapability: block}), 'INVALID_ARGUMENT'],
  ['NodeStageVolume of what is not there', ({node}) => node.nodeStageVolume({...stageAt, volumeId: 'x'}), 'NOT_FOUND'],
  [
    'NodeStageVolume where a name is too long',
    ({node}) => node.nodeStageVolume({...stageAt, stagingTargetPath: `${staging}/${'n'.repeat(300)}`}),
    'INTERNAL',
  ],
  ['NodeUnstageVolume without a path', ({node}) => node.nodeUnstageVolume({volumeId: 'fs'}), 'INVALID_ARGUMENT'],
  ['NodeUnstageVolume of what is not there', ({node}) => node.nodeUnstageVolume({volumeId: 'x', stagingTargetPath: staging}), 'NOT_FOUND'],
  ['NodePublishVolume without a target', ({node}) => node.nodePublishVolume({...publishAt, targetPath: ''}), 'INVALID_ARGUMENT'],
  ['NodePublishVolume of what is not staged', ({node}) => node.nodePublishVolume(publishAt), 'FAILED_PRECONDITION'],
  [
    'NodePublishVolume without a staging path',
    ({node}) => node.nodePublishVolume({...publishAt, stagingTargetPath: ''}),
    'FAILED_PRECONDITION',
  ],
  ['NodeUnpublishVolume without a target', ({node}) => node.nodeUnpublishVolume({volumeId: 'fs'}), 'INVALID_ARGUMENT'],
  ['NodeUnpublishVolume of what is not there', ({node}) => node.nodeUnpublishVolume({volumeId: 'x', targetPath: target}), 'NOT_FOUND'],
  ['NodeGetVolumeStats without a path', ({node}) => node.nodeGetVolumeStats({volumeId: 'fs'}), 'INVALID_ARGUMENT'],
  ['NodeGetVolumeStats of what is elsewhere', ({node}) => node.nodeGetVolumeStats({volumeId: 'fs', volumePath: target}), 'NOT_FOUND'],
  ['NodeExpandVolume without a path', ({node}) => node.nodeExpandVolume({volumeId: 'fs'}), 'INVALID_ARGUMENT'],
  ['NodeExpandVolume of what is elsewhere', ({node}) => node.nodeExpandVolume({volumeId: 'fs', volumePath: target}), 'NOT_FOUND'],
  ['ControllerExpandVolume to no size', ({controller}) => controller.controllerExpandVolume({volumeId: 'fs'}), 'INVALID_ARGUMENT'],
  [
    'ControllerExpandVolume of what is not there',
    ({controller}) => controller.controllerExpandVolume({volumeId: 'x', capacityRange: {requiredBytes: 1n}}),
    'NOT_FOUND',
  ],
  [
    'ControllerExpandVolume below what it has',
    ({controller}) => controller.controllerExpandVolume({volumeId: 'blk', capacityRange: {requiredBytes: 1n, limitBytes: 99n}}),
    'OUT_OF_RANGE',
  ],
  [
    'ControllerExpandVolume beyond what there is',
    ({controller}) => controller.controllerExpandVolume({volumeId: 'blk', capacityRange: {requiredBytes: 2n ** 50n}}),
    'OUT_OF_RANGE',
  ],
  ['ControllerModifyVolume', ({controller}) => controller.controllerModifyVolume({volumeId: 'fs'}), 'UNIMPLEMENTED'],
  ['CreateVolume without a name', ({controller}) => controller.createVolume({volumeCapabilities: [mount]}), 'INVALID_ARGUMENT'],
  ['CreateVolume without capabilities', ({controller}) => controller.createVolume({name: 'n'}), 'INVALID_ARGUMENT'],
  [
    'CreateVolume of two modes',
    ({controller}) => controller.createVolume({name: 'n', volumeCapabilities: [mount, block]}),
    'INVALID_ARGUMENT',
  ],
  [
    'CreateVolume of a range that goes down',
    ({controller}) => controller.createVolume({name: 'n', volumeCapabilities: [mount], capacityRange: {requiredBytes: 2n, limitBytes: 1n}}),
    'INVALID_ARGUMENT',
  ],
  [
    'CreateVolume from a snapshot',
    ({controller}) =>
      controller.createVolume({
        name: 'n',
        volumeCapabilities: [mount],
        volumeContentSource: {type: {case: 'snapshot', value: {snapshotId: 's'}}},
      }),
    'INVALID_ARGUMENT',
  ],
  [
    'CreateVolume of more than there is',
    ({controller}) => controller.createVolume({name: 'n', volumeCapabilities: [mount], capacityRange: {requiredBytes: 2n ** 50n}}),
    'OUT_OF_RANGE',
  ],
  ['CreateVolume of what is there', ({controller}) => controller.createVolume({name: 'fs', volumeCapabilities: [mount]}), 'OK'],
  [
    'CreateVolume of what is there, larger',
    ({controller}) => controller.createVolume({name: 'blk', volumeCapabilities: [block], capacityRange: {requiredBytes: 101n}}),
    'ALREADY_EXISTS',
  ],
  [
    'CreateVolume of what is there, smaller',
    ({controller}) => controller.createVolume({name: 'blk', volumeCapabilities: [block], capacityRange: {limitBytes: 99n}}),
    'ALREADY_EXISTS',
  ],
  [
    'CreateVolume of what is there, of another mode',
    ({controller}) => controller.createVolume({name: 'fs', volumeCapabilities: [block]}),
    'ALREADY_EXISTS',
  ],
  ['DeleteVolume without a volume', ({controller}) => controller.deleteVolume({}), 'INVALID_ARGUMENT'],
  ['DeleteVolume of what is not there', ({controller}) => controller.deleteVolume({volumeId: 'x'}), 'OK'],
  ['ValidateVolumeCapabilities without any', ({controller}) => controller.validateVolumeCapabilities({volumeId: 'fs'}), 'INVALID_ARGUMENT'],
  [
    'ValidateVolumeCapabilities of what is not there',
    ({controller}) => controller.validateVolumeCapabilities({volumeId: 'x', volumeCapabilities: [mount]}),
    'NOT_FOUND',
  ],
  ['ListVolumes from nowhere', ({controller}) => controller.listVolumes({startingToken: 'x'}), 'ABORTED'],
  ['ListVolumes from behind the end', ({controller}) => controller.listVolumes({startingToken: '9'}), 'ABORTED'],
  ['ListVolumes of fewer than none', ({controller}) => controller.listVolumes({maxEntries: -1}), 'INVALID_ARGUMENT'],
  [
    'ControllerPublishVolume to another node',
    ({controller}) => controller.controllerPublishVolume({volumeId: 'fs', nodeId: 'x', volumeCapability: mount}),
    'NOT_FOUND',
  ],
  ['ControllerUnpublishVolume of what is not there', ({controller}) => controller.controllerUnpublishVolume({volumeId: 'x'}), 'OK'],
  ['CreateSnapshot', ({controller}) => controller.createSnapshot({name: 's', sourceVolumeId: 'fs'}), 'UNIMPLEMENTED'],
])('%s is answered with %s', async (_, call, code) => {
  expect(await codeOf(call(caller))).toBe(code)
})

test('GetPluginInfo, Probe, NodeGetInfo and the capabilities are answered', async () => {
  const {identity, node, controller} = caller
  expect(await identity.getPluginInfo({})).toMatchObject({name: 'd', vendorVersion: '1.0.0'})
  expect((await identity.probe({})).ready).toBe(true)
  expect((await identity.getPluginCapabilities({})).capabilities).toMatchObject([{type: {case: 'service', value: {type: 1}}}])
  expect((await node.nodeGetInfo({})).nodeId).toBe('lab')
  const numbers = ({capabilities}: {capabilities: {type: {value?: {type: number} | undefined}}[]}) =>
    capabilities.map(({type}) => type.value?.type)
  expect(numbers(await node.nodeGetCapabilities({}))).toEqual([1, 2])
  expect(numbers(await controller.controllerGetCapabilities({}))).toEqual([1, 2, 8, 3, 10, 4, 9])
})

test('ListVolumes gives page after page, with what each was made with', async () => {
  const first = await caller.controller.listVolumes({maxEntries: 1})
  const second = await caller.controller.listVolumes({maxEntries: 1, startingToken: first.nextToken})
  expect([first.entries, second.entries]).toMatchObject([
    [{volume: {volumeId: 'fs', capacityBytes: 2n ** 30n, volumeContext: {tier: 'gold'}}}],
    [{volume: {volumeId: 'blk', capacityBytes: 100n, volumeContext: {}}}],
  ])
  expect([first.nextToken, second.nextToken]).toEqual(['1', ''])
})

test('ControllerPublishVolume holds a volume on its node until it is undone', async () => {
  const {controller} = caller
  const request = {volumeId: 'blk', nodeId: 'lab', volumeCapability: block}
  expect(await codeOf(controller.controllerPublishVolume(request))).toBe('OK')
  expect(await codeOf(controller.controllerPublishVolume(request))).toBe('OK')
  expect(await codeOf(controller.controllerPublishVolume({...request, readonly: true}))).toBe('ALREADY_EXISTS')
  expect((await controller.listVolumes({})).entries.map(({status}) => status?.publishedNodeIds)).toEqual([[], ['lab']])
  expect(await codeOf(controller.deleteVolume({volumeId: 'blk'}))).toBe('FAILED_PRECONDITION')
  await controller.controllerUnpublishVolume({volumeId: 'blk', nodeId: 'lab'})
  expect((await controller.listVolumes({})).entries.map(({status}) => status?.publishedNodeIds)).toEqual([[], []])
})

test('GetCapacity is what the volumes leave, and comes back with them', async () => {
  const {controller} = caller
  const free = async () => (await controller.getCapacity({})).availableCapacity
  const before = await free()
  await controller.createVolume({name: 'more', volumeCapabilities: [mount], capacityRange: {requiredBytes: 500n}})
  expect(before - (await free())).toBe(500n)
  const {capacityBytes} = await controller.controllerExpandVolume({volumeId: 'more', capacityRange: {requiredBytes: 800n}})
  expect([capacityBytes, before - (await free())]).toEqual([800n, 800n])
  await controller.deleteVolume({volumeId: 'more'})
  expect(await free()).toBe(before)
})

test('NodeGetVolumeStats and NodeExpandVolume tell of a volume where it is', async () => {
  const {node} = caller
  await node.nodeStageVolume(stageAt)
  await node.nodePublishVolume(publishAt)
  for (const volumePath of [staging, target, join(root, 'target')]) {
    const {usage} = await node.nodeGetVolumeStats({volumeId: 'fs', volumePath})
    expect(usage).toMatchObject([
      {unit: 1, total: 2n ** 30n},
      {unit: 2, total: 2n ** 16n},
    ])
  }
  await node.nodeUnpublishVolume({volumeId: 'fs', targetPath: target})
  await node.nodeUnstageVolume({volumeId: 'fs', stagingTargetPath: staging})
})
