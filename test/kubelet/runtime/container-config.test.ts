import {expect, test} from 'vitest'
import {generateContainerConfig} from '../../../src/kubelet/runtime/container-config.ts'
import {spec} from '../../support/csi-steps.ts'
import {aPod, containerNamed} from '../../support/model-pods.ts'

const pod = aPod({metadata: {uid: 'u1'}, spec: {terminationGracePeriodSeconds: 12}})

test('generateContainerConfig() has the places of the volumes that the container names, and of no others', () => {
  const container = containerNamed('app', {
    volumeMounts: [
      {name: 'data', mountPath: '/data'},
      {name: 'scratch', mountPath: '/scratch', readOnly: true},
    ],
    volumeDevices: [{name: 'dev', devicePath: '/dev/xvda'}],
  })
  const volumes = new Map([
    ['data', spec({name: 'pv1'})],
    ['scratch', spec({name: 'scratch', ephemeral: true})],
    ['dev', spec({name: 'pv2', mode: 'Block'})],
    ['other', spec({name: 'pv3'})],
  ])
  expect(generateContainerConfig(pod, container, 3, volumes)).toMatchObject({
    metadata: {name: 'app', attempt: 3},
    mounts: [
      {containerPath: '/data', hostPath: '/var/lib/kubelet/pods/u1/volumes/kubernetes.io~csi/pv1/mount', readonly: false},
      {containerPath: '/scratch', hostPath: '/var/lib/kubelet/pods/u1/volumes/kubernetes.io~csi/scratch/mount', readonly: true},
    ],
    devices: [{containerPath: '/dev/xvda', hostPath: '/var/lib/kubelet/pods/u1/volumeDevices/kubernetes.io~csi/pv2', permissions: 'mrw'}],
  })
})

test('generateContainerConfig() of a container without volumes has none', () => {
  const config = generateContainerConfig(pod, containerNamed('app'), 0, new Map())
  expect(Object.keys(config).sort()).toEqual(['annotations', 'command', 'image', 'metadata'])
})

test.each([
  ['that is not mounted', {volumeMounts: [{name: 'data', mountPath: '/data'}]}, 'cannot find volume "data" to mount into container "app"'],
  ['that is a device', {volumeMounts: [{name: 'dev', mountPath: '/data'}]}, 'cannot find volume "dev" to mount into container "app"'],
  ['that is no device', {volumeDevices: [{name: 'fs', devicePath: '/dev/x'}]}, 'cannot find volume "fs" to pass into container "app"'],
])('generateContainerConfig() throws at a volume %s', (_, wants, message) => {
  const volumes = new Map([
    ['dev', spec({mode: 'Block'})],
    ['fs', spec()],
  ])
  expect(() => generateContainerConfig(pod, containerNamed('app', wants), 0, volumes)).toThrow(message)
})

test('generateContainerConfig() annotates what the kubelet may have forgotten when it kills the container', () => {
  const {annotations} = generateContainerConfig(pod, containerNamed('app'), 3, new Map())
  expect(annotations).toEqual({
    'io.kubernetes.container.hash': expect.stringMatching(/^[0-9a-f]{8}$/),
    'io.kubernetes.container.restartCount': '3',
    'io.kubernetes.container.terminationMessagePath': '/dev/termination-log',
    'io.kubernetes.container.terminationMessagePolicy': 'File',
    'io.kubernetes.pod.terminationGracePeriod': '12',
  })
  const going = aPod({metadata: {uid: 'u1', deletionGracePeriodSeconds: 5}})
  const other = generateContainerConfig(going, containerNamed('app', {image: 'other:2'}), 0, new Map()).annotations
  expect(other).toMatchObject({'io.kubernetes.pod.deletionGracePeriod': '5'})
  expect(other?.['io.kubernetes.container.hash']).not.toBe(annotations?.['io.kubernetes.container.hash'])
})
