import {expect, test} from 'vitest'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import {ActualWorld} from '../../../src/kubelet/volumes/actual-world.ts'
import {csiBlock} from '../../../src/kubelet/volumes/csi-block.ts'
import {blockOperations} from '../../../src/kubelet/volumes/map-operations.ts'
import {uniqueNameOf} from '../../../src/kubelet/volumes/volume-spec.ts'
import {csiSteps, spec} from '../../support/csi-steps.ts'
import {aPod} from '../../support/model-pods.ts'

const volume = spec({mode: 'Block'})
const name = uniqueNameOf(volume, 'u1')

/** 1.17 alone leaves what it knows of the volume. */
const data = 'volumeDevices/pv1/data/vol_data.json'

test.each([
  ['1.17.3', false, [data, 'volumeDevices/publish/pv1', 'volumeDevices/staging', 'pods/u1/volumeDevices/kubernetes.io~csi']],
  ['1.36.2', true, ['volumeDevices/publish', 'volumeDevices/staging', 'pods/u1/volumeDevices/kubernetes.io~csi']],
])('unmapDevice() of %s leaves no place where pods had the device', async (version, failedUndoIsUncertain, expected) => {
  const profile = profileOf(version)
  const steps = csiSteps({
    profile,
    does: async (method, {targetPath}, disk) => {
      if (method === 'NodePublishVolume') {
        await disk.writeFile(`${targetPath}`, '')
        await disk.mount(disk.makeBlockDevice('h1'), `${targetPath}`)
      }
      if (method === 'NodeUnpublishVolume') {
        await disk.unmount(`${targetPath}`)
        await disk.unlink(`${targetPath}`)
      }
    },
  })
  const actual = new ActualWorld(profile, () => {})
  const operations = blockOperations({host: steps.host, actual, failedUndoIsUncertain, block: csiBlock(steps.host)})
  actual.attached(name, volume)
  await (await operations.mapVolume(name, volume, aPod({metadata: {uid: 'u1'}}))).run()
  await (await operations.unmapVolume(name, {uid: 'u1', spec: volume})).run()
  const attached = actual.get(name)
  if (attached === undefined) throw new Error('it is attached')
  await (await operations.unmapDevice(attached)).run()
  expect(steps.calls()).toEqual(['NodeStageVolume', 'NodePublishVolume', 'NodeUnpublishVolume', 'NodeUnstageVolume'])
  expect(steps.left().sort()).toEqual(expected.toSorted())
})
