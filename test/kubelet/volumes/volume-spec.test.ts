import {expect, test} from 'vitest'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import {csiAttacher} from '../../../src/kubelet/volumes/csi-attacher.ts'
import {csiBlock} from '../../../src/kubelet/volumes/csi-block.ts'
import {csiMounter} from '../../../src/kubelet/volumes/csi-mounter.ts'
import {claimedSpec, podsOwnSpec} from '../../../src/kubelet/volumes/volume-spec.ts'
import {csiSteps} from '../../support/csi-steps.ts'

const claim = {namespace: 'default', name: 'data', volumeName: 'pv1', driver: 'csi.example.com', volumeHandle: 'h1'} as const
const profile = profileOf('1.36.2')

test.each([
  [{}, {}],
  [{accessModes: ['ReadOnlyMany', 'ReadWriteOnce'] as const}, {accessMode: 'ReadOnlyMany'}],
  [
    {fsType: 'xfs', volumeAttributes: {pool: 'fast'}},
    {fsType: 'xfs', volumeContext: {pool: 'fast'}},
  ],
])('claimedSpec() of a volume that says %j is used with %j', (says, use) => {
  expect(claimedSpec({...claim, volumeMode: 'Filesystem', ...says}).use).toEqual(use)
})

test('podsOwnSpec() is used as its pod says', () => {
  const inline = {driver: 'csi.example.com', fsType: 'ext4', volumeAttributes: {size: '1'}}
  expect(podsOwnSpec('u1', 'scratch', inline)).toMatchObject({ephemeral: true, use: {fsType: 'ext4', volumeContext: {size: '1'}}})
})

test('what a volume is used with goes to the driver when it is staged and when it is published, of both modes', async () => {
  const says = {accessModes: ['ReadWriteMany'] as const, fsType: 'xfs', volumeAttributes: {pool: 'fast'}}
  const use = {accessMode: 'ReadWriteMany', fsType: 'xfs', volumeContext: {pool: 'fast'}}
  const {host, requests} = csiSteps({profile})
  const files = claimedSpec({...claim, volumeMode: 'Filesystem', ...says})
  const device = claimedSpec({...claim, volumeMode: 'Block', ...says})
  await csiAttacher(host).mountDevice(files, '/var/lib/kubelet/plugins/kubernetes.io/csi/d/1/globalmount')
  await csiMounter(host).setUp(files, 'u1', false)
  await csiBlock(host).setUpDevice(device)
  await csiBlock(host).mapPodDevice(device, 'u1')
  const told = requests.filter(([method]) => method !== 'NodeGetCapabilities')
  expect(told.map(([method]) => method)).toEqual(['NodeStageVolume', 'NodePublishVolume', 'NodeStageVolume', 'NodePublishVolume'])
  for (const [, request] of told) expect(request).toMatchObject(use)
})
