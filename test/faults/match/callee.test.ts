import {expect, test} from 'vitest'
import {calleeOf} from '../../../src/faults/match/callee.ts'

test.each([
  ['runtime.v1.RuntimeService', 'cri'],
  ['runtime.v1alpha2.ImageService', 'cri'],
  ['csi.v1.Node', 'csi'],
  ['csi.v1.GroupController', 'csi'],
  ['pluginregistration.Registration', 'registration'],
  ['grpc.health.v1.Health', 'other'],
  ['my.csi.v1.Node', 'other'],
])('calleeOf() takes %s for %s', (service, callee) => {
  expect(calleeOf(service)).toBe(callee)
})
