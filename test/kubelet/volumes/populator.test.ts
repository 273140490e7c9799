import {describe, expect, test} from 'vitest'
import type {BoundClaim, Pod} from '../../../src/kubelet/pod.ts'
import {podManager} from '../../../src/kubelet/pod-manager.ts'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import {ActualWorld, type VolumeMountState} from '../../../src/kubelet/volumes/actual-world.ts'
import {DesiredWorld} from '../../../src/kubelet/volumes/desired-world.ts'
import {populator} from '../../../src/kubelet/volumes/populator.ts'
import {uniqueNameOf} from '../../../src/kubelet/volumes/volume-spec.ts'
import {spec} from '../../support/csi-steps.ts'
import {aPod, switched} from '../../support/model-pods.ts'
import {claim, driver} from '../../support/volume-lab.ts'

const name = uniqueNameOf(spec(), 'u1')
const withClaim: Pod = aPod({spec: {volumes: [{name: 'data', persistentVolumeClaim: {claimName: 'data'}}]}})

interface Facts {
  wants?: boolean
  mayLose?: boolean
  claim?: () => Promise<BoundClaim>
}

function world(facts: Facts = {}, profile = profileOf('1.36.2')) {
  const pods = podManager()
  const desired = new DesiredWorld()
  const actual = new ActualWorld(profile, () => {})
  const asked: string[] = []
  const populate = populator({
    profile,
    podManager: pods,
    podStates: {
      wantsVolumes: () => facts.wants ?? true,
      removalPass: () => ({mayLoseVolumes: () => facts.mayLose ?? false}),
    },
    desired,
    actual,
    getClaim: async (namespace, claimName) => {
      asked.push(`${namespace}/${claimName}`)
      return facts.claim ? facts.claim() : claim()
    },
    log: () => {},
    signal: new AbortController().signal,
  })
  return {pods, desired, actual, asked, populate, facts}
}

describe('loop()', () => {
  test('adds the volumes of a pod once, and again when the pod is to be processed again', async () => {
    const {pods, desired, asked, populate} = world()
    pods.updatePod(withClaim)
    await populate.loop(true)
    await populate.loop(true)
    expect(desired.all()).toEqual([{volumeName: name, pod: withClaim, spec: spec({use: {}})}])
    expect(asked).toEqual(['default/data'])
    populate.reprocessPod('u1')
    await populate.loop(true)
    expect(asked).toHaveLength(2)
  })

  test('adds none of a pod that has ended', async () => {
    const {pods, desired, populate} = world({wants: false})
    pods.updatePod(withClaim)
    await populate.loop(true)
    expect(desired.all()).toEqual([])
  })

  test('knows an inline volume by its pod and name, and asks nobody for it', async () => {
    const {pods, desired, asked, populate} = world()
    pods.updatePod(aPod({spec: {volumes: [{name: 'scratch', csi: {driver}}]}}))
    await populate.loop(true)
    expect(desired.all()).toMatchObject([
      {
        volumeName: 'kubernetes.io/csi/u1-scratch',
        spec: {name: 'scratch', ephemeral: true, handle: expect.stringMatching(/^csi-[0-9a-f]{64}$/)},
      },
    ])
    expect(asked).toEqual([])
  })

  test.each([
    [true, 1],
    [false, 3],
  ])('asks for a claim that it could not read with failed-claims-wait, %s: %d times in three loops', async (on, times) => {
    const claimless = {claim: async () => Promise.reject(new Error('no claim'))}
    const {pods, desired, asked, populate} = world(claimless, switched('1.18.2', 'failed-claims-wait', on))
    pods.updatePod(withClaim)
    populate.reprocessPod('u1')
    for (let count = 0; count < 3; count++) await populate.loop(true)
    expect(asked).toHaveLength(times)
    expect(desired.popErrors('u1')).toEqual(['no claim'])
  })

  // Whether it goes, by what is known of the mount and whether the pod's object is there.
  test.each<[VolumeMountState, boolean, boolean, boolean, boolean]>([
    ['VolumeMounted', true, true, true, true],
    ['VolumeMounted', true, false, false, false],
    ['VolumeMounted', false, true, true, true],
    ['VolumeMountUncertain', true, true, true, false],
    ['VolumeMountUncertain', false, true, true, true],
    ['VolumeNotMounted', true, true, false, false],
    ['VolumeNotMounted', false, true, true, true],
    ['VolumeNotMounted', false, false, false, false],
  ])('of a volume that is %s, the object there: %s, the pod may lose it: %s', async (state, there, mayLose, early, late) => {
    const gone = [true, false].map(async (on) => {
      const {pods, desired, actual, populate, facts} = world({}, switched('1.36.2', 'uncertain-undone-early', on))
      pods.updatePod(withClaim)
      await populate.loop(true)
      actual.attached(name, spec())
      if (state !== 'VolumeNotMounted') actual.setMount(name, {uid: 'u1', spec: spec()}, state)
      if (!there) pods.deletePod('u1')
      facts.mayLose = mayLose
      facts.wants = false
      await populate.loop(true)
      return !desired.has(name)
    })
    expect(await Promise.all(gone)).toEqual([early, late])
  })

  test('forgets the errors of a pod once all of its claims were read', async () => {
    const facts: Facts = {claim: async () => Promise.reject(new Error('no claim'))}
    const {pods, desired, populate, facts: live} = world(facts)
    pods.updatePod(withClaim)
    await populate.loop(true)
    expect(desired.podsWithErrors()).toEqual(['u1'])
    live.claim = async () => claim()
    populate.reprocessPod('u1')
    await populate.loop(true)
    expect(desired.podsWithErrors()).toEqual([])
    expect(desired.has(name)).toBe(true)
  })

  test('forgets the errors of a pod that is gone', async () => {
    const {pods, desired, populate} = world({claim: async () => Promise.reject(new Error('no claim'))})
    pods.updatePod(withClaim)
    await populate.loop(true)
    expect(desired.isEmpty).toBe(false)
    pods.deletePod('u1')
    await populate.loop(true)
    expect(desired.isEmpty).toBe(true)
  })
})
