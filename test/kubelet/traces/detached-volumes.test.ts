import {expect, test} from 'vitest'
import {detachedVolumes} from '../../../src/kubelet/traces/detached-volumes.ts'
import {at, logLine} from '../../support/snapshot-builder.ts'

const line = (text: string) => detachedVolumes([logLine(5, text)])

test('detachedVolumes() has each volume with its driver and its handle', () => {
  expect(line('Volume detached for volume "pv1" (UniqueName: "kubernetes.io/csi/d.example^h^1") on node "n1" DevicePath ""')).toEqual([
    {driver: 'd.example', handle: 'h^1', at: at(5)},
  ])
})

test.each([
  'Volume detached for volume "scratch" (UniqueName: "kubernetes.io/csi/d76658d6-scratch") on node "n1" DevicePath ""',
  'Volume detached for volume "cm" (UniqueName: "kubernetes.io/configmap/x") on node "n1" DevicePath ""',
  'UnmountDevice succeeded for volume "pv1" (UniqueName: "kubernetes.io/csi/d^h") on node "n1"',
])('detachedVolumes() leaves out %s', (text) => {
  expect(line(text)).toEqual([])
})

test('detachedVolumes() leaves out a line without a moment', () => {
  const {at: _, ...dateless} = logLine(
    5,
    'Volume detached for volume "pv1" (UniqueName: "kubernetes.io/csi/d^h") on node "n1" DevicePath ""',
  )
  expect(detachedVolumes([dateless])).toEqual([])
})

test('detachedVolumes() is through with a hostile line at once', () => {
  const began = performance.now()
  expect(line(`Volume detached for volume "${'x" (UniqueName: "kubernetes.io/csi/'.repeat(20_000)}`)).toEqual([])
  expect(performance.now() - began).toBeLessThan(1000)
})
