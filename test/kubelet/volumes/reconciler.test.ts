import {expect, test} from 'vitest'
import {simulatedClock} from '../../../src/base/simulated-clock.ts'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import {ActualWorld} from '../../../src/kubelet/volumes/actual-world.ts'
import {DesiredWorld} from '../../../src/kubelet/volumes/desired-world.ts'
import type {Operation} from '../../../src/kubelet/volumes/pending-operations.ts'
import {pendingOperations} from '../../../src/kubelet/volumes/pending-operations.ts'
import {reconciler} from '../../../src/kubelet/volumes/reconciler.ts'
import {uniqueNameOf} from '../../../src/kubelet/volumes/volume-spec.ts'
import {spec} from '../../support/csi-steps.ts'

test.each([
  ['1.26.5', 2],
  ['1.36.2', 1],
])('unmountVolumes() of %s does not begin what was made while the one before it ended', async (version, made) => {
  const profile = profileOf(version)
  const clock = simulatedClock(0)
  const {signal} = new AbortController()
  const common = {profile, log: () => {}, signal}
  const actual = new ActualWorld(profile, () => {})
  const pending = pendingOperations({...common, clock, spawn: (work) => void work})
  const name = uniqueNameOf(spec(), 'u1')
  actual.attached(name, spec())
  actual.setMount(name, {uid: 'u1', spec: spec()}, 'VolumeMounted')
  let generated = 0
  let begun = 0
  // A disk takes its time to say what is known of the volume, a driver takes longer.
  const unmountVolume = async (): Promise<Operation> => {
    generated++
    await clock.sleep(20)
    const run = async () => {
      begun++
      await clock.sleep(110)
      actual.unmounted(name, 'u1')
    }
    return {name: 'volume_unmount', about: {}, run}
  }
  const filesystem = {unmountVolume, mountVolume: unused, unmountDevice: unused}
  const block = {mapVolume: unused, unmapVolume: unused, unmapDevice: unused}
  const round = reconciler({...common, desired: new DesiredWorld(), actual, pending, filesystem, block})
  const rounds = async () => {
    for (let count = 0; count < 5; count++) {
      await round.unmountVolumes()
      await clock.sleep(100)
    }
  }
  const over = rounds()
  await clock.run(1000)
  await over
  expect({generated, begun}).toEqual({generated: made, begun: 1})
})

function unused(): never {
  throw new Error('nobody asks for it')
}
