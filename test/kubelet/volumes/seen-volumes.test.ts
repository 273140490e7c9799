import {expect, test} from 'vitest'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import {ActualWorld} from '../../../src/kubelet/volumes/actual-world.ts'
import {DesiredWorld} from '../../../src/kubelet/volumes/desired-world.ts'
import {seenVolumes} from '../../../src/kubelet/volumes/seen-volumes.ts'
import {inlineSpec, uniqueNameOf, type VolumeSpec} from '../../../src/kubelet/volumes/volume-spec.ts'
import {aPod} from '../../support/model-pods.ts'

const claimed = (name: string): VolumeSpec => ({name, driver: 'd', handle: `h-${name}`, mode: 'Filesystem', ephemeral: false})

test('seenVolumes() tells what is to be, what is mounted, and what must not be detached: all of both but inline volumes', () => {
  const desired = new DesiredWorld()
  const actual = new ActualWorld(profileOf('1.26.5'), () => {})
  const pod = aPod()
  const [wanted, left, inline] = [claimed('wanted'), claimed('left'), inlineSpec('u1', 'scratch', 'd')]
  for (const spec of [wanted, inline]) desired.add(uniqueNameOf(spec, 'u1'), spec.name, pod, spec)
  for (const spec of [left, inline]) actual.attached(uniqueNameOf(spec, 'u1'), spec)
  actual.setMount(uniqueNameOf(inline, 'u1'), {uid: 'u1', spec: inline}, 'VolumeMounted')
  actual.setMount(uniqueNameOf(left, 'u1'), {uid: 'u2', spec: left}, 'VolumeMountUncertain')
  const named = (spec: VolumeSpec) => ({uniqueName: uniqueNameOf(spec, 'u1'), driver: 'd'})
  expect(seenVolumes(desired, actual)).toEqual({
    desired: [named(wanted), named(inline)],
    mounted: [named(inline)],
    inUse: ['kubernetes.io/csi/d^h-left', 'kubernetes.io/csi/d^h-wanted'],
  })
})
