import {expect, test} from 'vitest'
import {knownNames} from '../../../src/proxy/stand/known-names.ts'
import {snapshotOf} from '../../support/snapshot-builder.ts'

const pod = (namespace: string, name: string, ...claims: readonly string[]) => ({
  namespace,
  name,
  uid: `uid-${name}`,
  finalizers: [],
  containers: [],
  volumes: claims.map((claim) => ({name: claim, kind: 'persistentVolumeClaim', claim})),
})
const volume = (uid: string, pv: string) => ({
  path: `pods/${uid}/volumes/kubernetes.io~csi/${pv}/vol_data.json`,
  data: {specVolID: pv, volumeHandle: `handle-${pv}`, driverName: 'd'},
})

test('knownNames() has all pods, and the volumes of those that are left alone', () => {
  const sources = {
    'kubelet.pods': [pod('default', 'web', 'data'), pod('kube-system', 'db', 'one'), pod('kube-system', 'two', 'a', 'b')],
    'disk.vol-data': [volume('uid-web', 'pv-web'), volume('uid-db', 'pv-db'), volume('uid-two', 'pv-a'), volume('uid-gone', 'pv-gone')],
  }
  expect(knownNames(snapshotOf({sources}))).toEqual({
    knownPods: [
      {namespace: 'default', name: 'web', uid: 'uid-web'},
      {namespace: 'kube-system', name: 'db', uid: 'uid-db'},
      {namespace: 'kube-system', name: 'two', uid: 'uid-two'},
    ],
    knownVolumes: [
      {pvc: 'kube-system/one', pv: 'pv-db', driver: 'd', volumeId: 'handle-pv-db'},
      {pvc: 'kube-system/pv-a', pv: 'pv-a', driver: 'd', volumeId: 'handle-pv-a'},
    ],
  })
})

test('knownNames() of a node that tells nothing', () => {
  expect(knownNames(snapshotOf({}))).toEqual({knownPods: [], knownVolumes: []})
})
