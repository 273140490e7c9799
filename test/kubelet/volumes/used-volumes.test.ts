import {expect, test} from 'vitest'
import type {Container, Volume} from '../../../src/kubelet/pod.ts'
import {usedVolumes} from '../../../src/kubelet/volumes/used-volumes.ts'
import {aPod, containerNamed} from '../../support/model-pods.ts'
import {callWords, playVolume, withVolume} from '../../support/volume-lab.ts'

const volumes: readonly Volume[] = ['a', 'b', 'c'].map((name) => ({name, persistentVolumeClaim: {claimName: name}}))
const mounting = (...names: string[]): Partial<Container> => ({volumeMounts: names.map((name) => ({name, mountPath: `/${name}`}))})
const mapping = (...names: string[]): Partial<Container> => ({volumeDevices: names.map((name) => ({name, devicePath: `/dev/${name}`}))})

test.each<[string, Partial<Container>, Partial<Container>, Partial<Container>, string[]]>([
  ['names none', {}, {}, {}, ['a', 'b', 'c']],
  ['mounts one', {}, mounting('b'), {}, ['b']],
  ['has one as a device', {}, mapping('c'), {}, ['c']],
  ['has both kinds', {}, {...mounting('a'), ...mapping('c')}, {}, ['a', 'c']],
  ['does not, and another one does', {}, {}, mounting('b'), ['b']],
  ['does not, and an init container does', mounting('c'), {}, {}, ['c']],
])('usedVolumes() of a pod whose container %s', (_, init, first, second, expected) => {
  const initContainers = [containerNamed('init', init)]
  const pod = aPod({spec: {volumes, initContainers, containers: [containerNamed('main', first), containerNamed('side', second)]}})
  expect(usedVolumes(pod).map(({name}) => name)).toEqual(expected)
})

test.each([
  ['data', ['NodeStageVolume OK', 'NodePublishVolume OK']],
  ['scratch', ['NodePublishVolume OK']],
])('a volume that no container names is neither staged nor published nor waited for: the only one named is %s', async (name, calls) => {
  const both: readonly Volume[] = [
    {name: 'data', persistentVolumeClaim: {claimName: 'data'}},
    {name: 'scratch', csi: {driver: 'csi.example.com'}},
  ]
  const containers = [{name: 'main', command: ['sleep', 'infinity'], ...mounting(name)}]
  const played = await playVolume({profile: '1.36.2', manifest: withVolume('web', {volumes: both, containers}), until: 20_000})
  expect(callWords(played)).toEqual(calls)
  const started = played.node.timeline.events.some(
    (event) => event.kind === 'container' && event.what === 'started' && event.container === 'main',
  )
  expect(started).toBe(true)
})
