import {expect, test} from 'vitest'
import {expectAtMostInfo, expectOnly, expectSilent, pathsIn, reportOf} from '../support/examined/expect.ts'
import {blockVolume, db, healthy, publish, stage, uniqueName, volumeDir, web, webStaging, webVolume} from '../support/examined/healthy.ts'
import {type ExaminedNode, root, without} from '../support/examined/node.ts'
import {job, stacked} from '../support/examined/pictures.ts'

const target = `${webVolume}/mount`

test('V07 aws-efs-csi-driver#695: the same target was mounted twice', () => {
  const report = expectOnly(
    healthy((node) => stacked(node)),
    ['V07', 'warning'],
  )
  expect(JSON.stringify(report.findings)).toContain('vol-web')
  expect(pathsIn(report, 'V07')).toContain(`${root}/${target}`)
})

test('V07 look-alike: copies that propagation makes beneath a directory that is bound onto itself', () => {
  expectSilent(
    healthy((node) => {
      const own = node.mount(root, {device: '254:0', sub: root})
      for (const line of [...node.mounts])
        if (line.includes(`${root}/`)) node.mounts.push(line.replace(/^(\d+) \d+/, (_, id) => `${Number(id) + 500} ${own}`))
    }),
  )
})

test('V07 democratic-csi#559: a new device lies on the stale one of an earlier attachment', () => {
  const node = healthy((each) => stacked(each, '8:32', `${webStaging}/globalmount`))
  expectOnly(node, ['V07', 'error'])
})

test('V07 three mounts of one device, one upon the other: one finding', () => {
  const node = healthy((each) => {
    stacked(each)
    const top = Number(each.mounts.at(-1)?.split(' ')[0])
    each.mount(target, {parent: top})
  })
  expectOnly(node, ['V07', 'warning'])
})

test('V07 the same mount under two names of the root', () => {
  expectSilent(
    healthy((node) => {
      for (const line of [...node.mounts])
        if (line.includes(root)) node.mounts.push(line.replaceAll(root, '/mnt/kubelet').replace(/^\d+/, (id) => `${Number(id) + 500}`))
    }),
  )
})

function two(
  node: ExaminedNode,
  path: string,
  lower: Parameters<ExaminedNode['mount']>[1],
  upper: Parameters<ExaminedNode['mount']>[1],
): void {
  const id = node.mount(path, lower)
  node.mount(path, {...upper, parent: id})
}

test('V07 an automount and what it mounted', () => {
  expectSilent(
    healthy((node) => {
      const path = volumeDir(web, 'pvc-web').replace('kubernetes.io~csi/pvc-web', 'kubernetes.io~nfs/share')
      node.dir(path)
      two(node, path, {device: '0:71', fsType: 'autofs', source: 'systemd-1'}, {device: '0:72', fsType: 'nfs4', source: 'nas:/x'})
    }),
  )
})

test('V07 an emptyDir in memory that is mounted again', () => {
  expectSilent(
    healthy((node) => {
      const path = `pods/${web}/volumes/kubernetes.io~empty-dir/shm`
      node.dir(path)
      two(node, path, {device: '0:73', fsType: 'tmpfs', source: 'tmpfs'}, {device: '0:74', fsType: 'tmpfs', source: 'tmpfs'})
    }),
  )
})

test('V07 an overlay over the directory that it shows', () => {
  expectAtMostInfo(
    healthy((node) => {
      const id = Number(node.mounts.find((line) => line.includes(target))?.split(' ')[0])
      const superOptions = `rw,lowerdir=${root}/${target},upperdir=/srv/up,workdir=/srv/work`
      node.mount(target, {parent: id, device: '0:75', fsType: 'overlay', source: 'overlay', superOptions})
    }),
  )
})

test('V07 stacks outside the root of the kubelet are nobody of ours', () => {
  expectSilent(
    healthy((node) => {
      two(node, '/proc/sys/fs/binfmt_misc', {device: '0:30', fsType: 'autofs'}, {device: '0:31', fsType: 'binfmt_misc'})
      two(node, '/mnt/data', {device: '8:16'}, {device: '8:32'})
      two(node, '/var/lib/kubelet-old/x', {device: '8:16'}, {device: '8:32'})
    }),
  )
})

test('V07 the root is a link: the stack is found under its other name', () => {
  const node = healthy((each) => stacked(each))
  node.real = '/data/kubelet'
  node.mounts = node.mounts.map((line) => line.replaceAll(root, '/data/kubelet'))
  expectOnly(node, ['V07', 'warning'])
})

test('V07 a device of a raw block volume that is bound twice at one file', () => {
  const place = `plugins/kubernetes.io/csi/volumeDevices/publish/pvc-db/${db}`
  const node = healthy((each) => {
    const lower = Number(each.mounts.find((line) => line.includes(place))?.split(' ')[0])
    each.mount(place, {parent: lower, device: '0:6', sub: '/sdd', fsType: 'devtmpfs', source: 'devtmpfs'})
  })
  expectOnly(node, ['V07', 'warning'])
})

// Of a device file it is the root that names the device (vsphere-csi-driver#338), and mounts of different devices are an error; it is a warning.
test('V07 another device file of devtmpfs over that of a raw block volume is another device', () => {
  const place = `plugins/kubernetes.io/csi/volumeDevices/publish/pvc-db/${db}`
  const node = healthy((each) => {
    const lower = Number(each.mounts.find((line) => line.includes(place))?.split(' ')[0])
    each.mount(place, {parent: lower, device: '0:6', sub: '/sdc', fsType: 'devtmpfs', source: 'devtmpfs'})
  })
  expectOnly(node, ['V07', 'error'])
})

test('V07 nothing but the mount table was read', () => {
  const snapshot = healthy((node) => stacked(node)).snapshot()
  const others = (Object.keys(snapshot.readings) as (keyof typeof snapshot.readings)[]).filter((name) => name !== 'kernel.mounts')
  expectOnly(without(snapshot, ...others), ['V07', 'warning'])
})

test('V07 two pods with one volume and one inline volume are no stack', () => {
  expectSilent(
    healthy((node) => {
      node.pod('web-1', job, ['data'])
      node.runs('web-1', job)
      publish(node, job, 'pvc-web', 'vol-web', {device: '8:16'})
      node.inUse.push(uniqueName('vol-raw'))
      blockVolume(node, job, 'pvc-raw', 'vol-raw')
    }),
  )
})

test.each(['pvc web', "it's", '$(x)', 'a\\b', 'ü'])('V07 the PV is named %j: umount gets it as one word', (spec) => {
  const node = healthy((each) => {
    each.inUse.push(uniqueName('vol-odd'))
    stage(each, 'vol-odd')
    each.pod('odd-0', job, ['odd'])
    each.runs('odd-0', job)
    const dir = publish(each, job, spec, 'vol-odd')
    const lower = Number(each.mounts.at(-1)?.split(' ')[0])
    each.mount(`${dir}/mount`, {device: '8:32', source: '/dev/sdc', parent: lower})
  })
  const report = expectOnly(node, ['V07', 'warning'])
  expect(pathsIn(report, 'V07')).toContain(`${root}/${volumeDir(job, spec)}/mount`)
  expect(reportOf(node).findings).toHaveLength(1)
})
