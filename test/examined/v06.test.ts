import {expect, test} from 'vitest'
import {read} from '../../src/node/reading.ts'
import {ContainerState} from '../../src/wire/gen/cri_pb.ts'
import {expectAtMostInfo, expectOnly, expectSilent, pathsIn, reportOf} from '../support/examined/expect.ts'
import {blockVolume, healthy, publish, scratch, stage, uniqueName, volumeDir, web, webVolume} from '../support/examined/healthy.ts'
import {ago, day, type ExaminedNode, hour, minute, root, without} from '../support/examined/node.ts'
import {job, terminating, volumeBare} from '../support/examined/pictures.ts'

const bare = `${webVolume}/mount`

test('V06 k8s#109955: a pod runs, and what it writes goes to the disk of the node', () => {
  const report = expectOnly(healthy(volumeBare), ['V06', 'critical', {handle: 'vol-web'}])
  expect(JSON.stringify(report.findings)).toContain('web-0')
})

test('V06 look-alike: an inline volume that is no mount', () => {
  expectSilent(healthy((node) => node.unmount(`${volumeDir(scratch, 'scratch')}/mount`)))
})

test('V06 a driver that publishes a link', () => {
  expectSilent(
    healthy((node) => {
      volumeBare(node)
      node.put(bare, 'link', day, {target: '/srv/data'})
    }),
  )
})

test.each([
  ['a minute', minute],
  ['30 s', 30],
])('V06 the container runs for %s: at most info', (_, started) => {
  expectAtMostInfo(
    healthy((node) => {
      volumeBare(node)
      node.stop(web)
      node.runs('web-0', web, {started})
    }),
  )
})

test('V06 the device of the directory is another than its parent has: a mount that the table does not show', () => {
  expectAtMostInfo(
    healthy((node) => {
      volumeBare(node)
      node.dir(bare, day, {device: '8:16'})
    }),
  )
})

test('V06 nobody looked at the devices: an error, no more', () => {
  const node = healthy(volumeBare)
  const entries = node.snapshot().readings['disk.entries']
  if (entries.state === 'read') node.readings['disk.entries'] = read(entries.value.map(({device: _, ...entry}) => entry))
  expectOnly(node, ['V06', 'error', {handle: 'vol-web'}])
})

test('V06 the pod is being deleted and its volume is unpublished right now, while a container is not yet gone', () => {
  const node = healthy((each) => {
    volumeBare(each)
    each.changePod(web, {deletedAt: ago(5)})
  })
  expectAtMostInfo(node)
})

test('V06 the pod is Terminating for an hour and nothing of it runs: that is P01', () => {
  expectOnly(
    healthy((node) => {
      terminating(node, web, hour)
      volumeBare(node)
    }),
    ['P01', 'error'],
  )
})

test('V06 a Completed pod: its volume is unmounted, its containers have exited', () => {
  const node = healthy((each) => {
    each.stop(web)
    each.runs('web-0', web, {ready: false, state: ContainerState.CONTAINER_EXITED})
    each.changePod(web, {phase: 'Succeeded', containers: [{name: 'app', kind: 'regular', state: 'terminated', exitCode: 0}]})
    volumeBare(each)
    each.remove(webVolume)
  })
  expect(reportOf(node).findings.filter(({code}) => code === 'V06')).toEqual([])
})

test('V06 the pod pulls its image for 3 minutes and its volume is published: no container runs', () => {
  const node = healthy((each) => {
    each.stop(web)
    each.changePod(web, {phase: 'Pending', createdAt: ago(3 * minute), containers: [{name: 'app', kind: 'regular', state: 'waiting'}]})
  })
  expectSilent(node)
})

test('V06 the mount table has no mount of any pod: it may be that of a container', () => {
  const node = healthy(volumeBare)
  node.mounts = node.mounts.filter((line) => !line.includes('/pods/'))
  expectAtMostInfo(node)
})

test('V06 the mount table is not known to be the own one of the kubelet', () => {
  const node = healthy(volumeBare)
  const mounts = node.snapshot().readings['kernel.mounts']
  if (mounts.state === 'read') node.readings['kernel.mounts'] = read(mounts.value, "it is not the kubelet's own")
  expectAtMostInfo(node)
})

test('V06 the root is a link and the mounts have its other name', () => {
  const node = healthy()
  node.real = '/data/kubelet'
  node.mounts = node.mounts.map((line) => line.replaceAll(root, '/data/kubelet'))
  expectSilent(node)
})

test('V06 the parent of the root is bound from elsewhere, and the mounts show there only', () => {
  const node = healthy((each) => {
    each.mount('/var/lib', {device: '254:16', sub: '/lib'})
    each.mount('/data', {device: '254:16', sub: '/'})
    each.mounts = each.mounts.map((line) => line.replace(`${root}/pods`, '/data/lib/kubelet/pods'))
  })
  expectAtMostInfo(node)
})

function two(node: ExaminedNode): void {
  node.pod('web-1', job, ['data'])
  node.runs('web-1', job)
  publish(node, job, 'pvc-web', 'vol-web', {device: '8:16'})
}

test('V06 two pods share the volume and one of them does not have it', () => {
  const report = expectOnly(
    healthy((node) => (two(node) as undefined) ?? volumeBare(node)),
    ['V06', 'critical'],
  )
  expect(JSON.stringify(report.findings)).toContain(web)
  expect(JSON.stringify(report.findings[0]?.subject)).not.toContain(job)
})

test('V06 two pods share the volume and both have it', () => {
  expectSilent(healthy(two))
})

test('V06 a raw block volume has no directory that could be bare', () => {
  expectSilent(
    healthy((node) => {
      node.inUse.push(uniqueName('vol-raw'))
      node.pod('raw-0', job, ['raw'])
      node.runs('raw-0', job)
      blockVolume(node, job, 'pvc-raw', 'vol-raw')
    }),
  )
})

test.each(['pvc web', "it's", 'ü', '$(x)'])('V06 the PV is named %j: its mount is found, and missed, under that name', (spec) => {
  const odd = (node: ExaminedNode) => {
    node.inUse.push(uniqueName('vol-odd'))
    stage(node, 'vol-odd')
    node.pod('odd-0', job, ['odd'])
    node.runs('odd-0', job)
    publish(node, job, spec, 'vol-odd')
  }
  expectSilent(healthy(odd))
  const node = healthy(odd)
  node.unmount(`${volumeDir(job, spec)}/mount`)
  const report = expectOnly(node, ['V06', 'critical', {handle: 'vol-odd'}])
  for (const path of pathsIn(report, 'V06'))
    if (path.startsWith(root)) expect(path.startsWith(`${root}/${volumeDir(job, spec)}`)).toBe(true)
})

test('V06 the directory of the volume is not there: the driver has not made it', () => {
  const node = healthy((each) => {
    volumeBare(each)
    each.remove(bare)
    each.stop(web)
    each.changePod(web, {phase: 'Pending', containers: [{name: 'app', kind: 'regular', state: 'waiting', reason: 'ContainerCreating'}]})
  })
  expectAtMostInfo(node)
})

test('V06 the root is a mount of its own and nothing else is mounted for a pod with a persistent volume but its token', () => {
  const node = healthy((each) => {
    each.mount(root, {device: '254:1', source: '/dev/vdb'})
    each.devices.push({device: '254:1', name: 'vdb'})
    volumeBare(each)
  })
  expectOnly(node, ['V06', 'critical', {handle: 'vol-web'}])
})

test('V06 without containers or without a mount table it is not looked for', () => {
  for (const source of ['runtime.containers', 'kernel.mounts'] as const) {
    const report = expectAtMostInfo(without(healthy(volumeBare).snapshot(), source))
    expect(report.looked).not.toContain('V06')
  }
})
