import {expect, test} from 'vitest'
import {read} from '../../src/node/reading.ts'
import {expectAtMostInfo, expectNone, expectOnly, pathsIn, reportOf, unseenOf} from '../support/examined/expect.ts'
import {gone, healthy, proxy, web} from '../support/examined/healthy.ts'
import {ago, day, minute, root, without} from '../support/examined/node.ts'
import {subpathLeft} from '../support/examined/pictures.ts'

const left = `pods/${gone}/volume-subpaths/conf/app/0`

test('V10 k8s#135698: the subPath of a hostPath is left of a pod that was deleted by force', () => {
  const report = expectOnly(
    healthy((node) => subpathLeft(node)),
    ['V01', 'error'],
    ['V10', 'error', {podUid: gone}],
  )
  expect(pathsIn(report, 'V10')).toContain(`${root}/${left}`)
})

test('V10 k8s#72257: it is of the file system of the root: a recursive delete goes through', () => {
  expectOnly(
    healthy((node) => subpathLeft(node, {device: '254:0'})),
    ['V01', 'error'],
    ['V10', 'critical', {podUid: gone}],
  )
})

test('V10 look-alike: a subPath of a ConfigMap that was updated under a living pod', () => {
  const node = healthy((each) => {
    const path = `pods/${web}/volume-subpaths/conf/app/0`
    each.put(path, 'file')
    each.mount(path, {device: '254:0', sub: `${root}/pods/${web}/volumes/kubernetes.io~configmap/conf/..2026/x//deleted`})
  })
  expectAtMostInfo(node)
})

test('V10 the pod is being torn down', () => {
  expectAtMostInfo(
    healthy((node) => {
      subpathLeft(node)
      node.pod('last-0', gone, [], {deletedAt: ago(10)})
      node.runs('last-0', gone, {ready: false})
    }),
  )
})

test('V10 the pod comes back', () => {
  expectNone(
    healthy((node) => {
      subpathLeft(node)
      node.pod('last-0', gone, [])
    }),
    'V10',
  )
})

test('V10 the pod went 5 minutes ago: at most info', () => {
  expectAtMostInfo(healthy((node) => subpathLeft(node, {age: 5 * minute})))
})

test('V10 nobody knows how long ago the pod went: at most info', () => {
  expectAtMostInfo(healthy((node) => subpathLeft(node, {age: null})))
})

test("V10 the kubelet's list is empty while sandboxes run", () => {
  const node = healthy((each) => subpathLeft(each))
  node.pods = []
  const report = expectNone(node, 'V10')
  expect(unseenOf(report, 'kubelet.pods')).not.toBe('')
})

test('V10 a static pod has a subPath; its mirror has another UID', () => {
  const node = healthy((each) => {
    const path = `pods/${proxy}/volume-subpaths/conf/app/0`
    each.dir(path)
    each.mount(path, {device: '254:0', sub: '/etc/conf'})
  })
  expectAtMostInfo(node)
})

test('V10 only the API server was asked for the static pod', () => {
  const node = healthy((each) => {
    const path = `pods/${proxy}/volume-subpaths/conf/app/0`
    each.dir(path)
    each.mount(path, {device: '254:0', sub: '/etc/conf'})
  })
  node.readings['kubelet.pods'] = read(node.pods.filter(({uid}) => uid !== proxy))
  expectNone(node, 'V10')
})

test('V10 a subPath of an emptyDir of a running container is on the device of the root, by design', () => {
  expectAtMostInfo(
    healthy((node) => {
      const path = `pods/${web}/volume-subpaths/cache/app/1`
      node.dir(path, day)
      node.mount(path, {device: '254:0', sub: `${root}/pods/${web}/volumes/kubernetes.io~empty-dir/cache/x`})
    }),
  )
})

test('V10 two subPaths of one pod: one finding that names both in its commands', () => {
  const node = healthy((each) => {
    subpathLeft(each)
    each.dir(`pods/${gone}/volume-subpaths/conf/app/1`, 3600)
    each.mount(`pods/${gone}/volume-subpaths/conf/app/1`, {device: '8:32', sub: '/srv/other'})
  })
  const report = expectOnly(node, ['V01', 'error'], ['V10', 'error'])
  expect(pathsIn(report, 'V10')).toEqual(expect.arrayContaining([`${root}/${left}`, `${root}/pods/${gone}/volume-subpaths/conf/app/1`]))
})

test('V10 two subPaths of one pod, one of them of the file system of the root: critical', () => {
  const node = healthy((each) => {
    subpathLeft(each)
    each.dir(`pods/${gone}/volume-subpaths/conf/app/1`, 3600)
    each.mount(`pods/${gone}/volume-subpaths/conf/app/1`, {device: '254:0', sub: '/srv/other'})
  })
  const {findings} = reportOf(node)
  expect(findings.filter(({code}) => code === 'V10').map(({severity}) => severity)).toContain('critical')
})

test('V10 the root is a link', () => {
  const node = healthy((each) => subpathLeft(each))
  node.real = '/data/kubelet'
  node.mounts = node.mounts.map((line) => line.replaceAll(root, '/data/kubelet'))
  expectOnly(node, ['V01', 'error'], ['V10', 'error'])
})

test.each(['con f', "it's", '$(x)', 'ü'])('V10 the volume is named %j: umount gets it as one word', (volume) => {
  const report = expectOnly(
    healthy((node) => subpathLeft(node, {volume})),
    ['V01', 'error'],
    ['V10', 'error'],
  )
  expect(pathsIn(report, 'V10')).toContain(`${root}/pods/${gone}/volume-subpaths/${volume}/app/0`)
})

test('V10 without the runtime it is not looked for', () => {
  expect(expectNone(without(healthy((node) => subpathLeft(node)).snapshot(), 'runtime.sandboxes'), 'V10').looked).not.toContain('V10')
})
