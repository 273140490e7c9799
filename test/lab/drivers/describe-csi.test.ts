import {expect, test} from 'vitest'
import {describeCsi} from '../../../src/lab/drivers/describe-csi.ts'

const root = '/var/lib/kubelet'
const block = `${root}/plugins/kubernetes.io/csi/volumeDevices`

test.each([
  ['NodePublishVolume', {volumeId: 'v', targetPath: `${root}/pods/u1/volumes/kubernetes.io~csi/pv/mount`}, 'default/p'],
  ['NodePublishVolume', {volumeId: 'v', stagingTargetPath: `${block}/staging/pv`, targetPath: `${block}/publish/pv/u1`}, 'default/p'],
  ['NodeUnpublishVolume', {volumeId: 'v', targetPath: `${block}/publish/pv/u2`}, undefined],
  ['NodeStageVolume', {volumeId: 'v', stagingTargetPath: `${block}/staging/pv`}, undefined],
  ['NodeGetCapabilities', {}, undefined],
])('describeCsi() tells the pod of %s %j where its path does: %s', (method, request, pod) => {
  const {volumeId, ...paths} = request as {volumeId?: string}
  const told = describeCsi('d', (uid) => (uid === 'u1' ? 'default/p' : undefined))(method, request)
  expect(told).toEqual({
    to: 'csi',
    method,
    ...(pod === undefined ? {} : {pod}),
    request: {driver: 'd', ...(volumeId === undefined ? {} : {volume: volumeId}), ...paths},
  })
})
