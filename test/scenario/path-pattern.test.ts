import {expect, test} from 'vitest'
import {pathMatches} from '../../src/scenario/path-pattern.ts'

const root = '/var/lib/kubelet'

test.each([
  ['pods/u/volumes', `${root}/pods/u/volumes`, true],
  ['pods/*/volumes', `${root}/pods/u/volumes`, true],
  ['pods/*/volumes', `${root}/pods/u/v/volumes`, false],
  ['plugins/**/globalmount', `${root}/plugins/kubernetes.io/csi/pv/pv1/globalmount`, true],
  ['plugins/**/globalmount', `${root}/plugins/kubernetes.io/csi/d/0123/globalmount`, true],
  ['plugins/**/globalmount', `${root}/plugins/kubernetes.io/csi/d/0123/globalmount/x`, false],
  ['plugins/csi.*', `${root}/plugins/csixio`, false],
  ['/mnt/*', '/mnt/a', true],
  ['/mnt/*', `${root}/mnt/a`, false],
])('pathMatches() of %s and %s is %s', (pattern, path, matches) => {
  expect(pathMatches(pattern, path)).toBe(matches)
})
