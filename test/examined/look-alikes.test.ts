// Healthy nodes that a check of pictures could take for broken ones.
import {expect, test} from 'vitest'
import {failed, read} from '../../src/node/reading.ts'
import {ContainerState} from '../../src/wire/gen/cri_pb.ts'
import {expectAtMostInfo, expectSilent, reportOf} from '../support/examined/expect.ts'
import {
  addDriver,
  blockVolume,
  csi,
  db,
  gone,
  healthy,
  podRecord,
  proxy,
  publish,
  stage,
  stagingDir,
  uniqueName,
  volumeDir,
  web,
  webStaging,
  webVolume,
} from '../support/examined/healthy.ts'
import {ago, type ExaminedNode, hour, minute, root, without} from '../support/examined/node.ts'
import {deviceLeft, job, publishLeft, stagingLeft, subpathLeft, terminating} from '../support/examined/pictures.ts'

test('check of a Completed pod whose volumes are unmounted is silent', () => {
  const node = healthy((each) => {
    each.pod('job-0', job, ['work'], {
      phase: 'Succeeded',
      containers: [{name: 'app', kind: 'regular', state: 'terminated', exitCode: 0, reason: 'Completed'}],
    })
    each.runs('job-0', job, {ready: false, state: ContainerState.CONTAINER_EXITED})
    each.put(`pods/${job}/etc-hosts`, 'file', hour)
    each.dir(`pods/${job}/volumes/kubernetes.io~csi`, hour)
    each.dir(`pods/${job}/volumes/kubernetes.io~projected`, hour)
  })
  expectSilent(node)
})

test('check of a pod whose container was restarted 10 s ago is silent', () => {
  const node = healthy((each) => {
    each.stop(web)
    each.runs('web-0', web, {started: 10})
  })
  expectSilent(node)
})

test('check of a pod whose init container has run for 10 minutes is silent', () => {
  const node = healthy((each) => {
    each.stop(web)
    each.runs('web-0', web, {started: 10 * minute})
    const containers = [{name: 'init', kind: 'init', state: 'running', startedAt: ago(10 * minute)}] as const
    each.changePod(web, {phase: 'Pending', createdAt: ago(11 * minute), containers})
  })
  expectSilent(node)
})

test('check of a pod that is Terminating for an hour by a finalizer, and whose container still runs, is silent', () => {
  expectSilent(healthy((node) => node.changePod(web, {deletedAt: ago(hour), finalizers: ['example.test/hold']})))
})

test.each([false, true])(
  'check of a volume of a driver that neither stages nor attaches is silent (with an empty globalmount: %s)',
  (made) => {
    const node = healthy((each) => {
      addDriver(each, 'nfs.csi.example', ['GET_VOLUME_STATS'])
      each.pod('nfs-0', job, ['share'])
      each.runs('nfs-0', job)
      const handle = 'nas.example#exports/share#pvc-1##'
      const dir = volumeDir(job, 'pvc-nfs')
      each.dir(`${dir}/mount`)
      each.record(`${dir}/vol_data.json`, podRecord('pvc-nfs', handle, {driverName: 'nfs.csi.example'}))
      each.mount(`${dir}/mount`, {device: '0:77', fsType: 'nfs4', source: 'nas.example:/exports/share'})
      if (made) each.dir(`${stagingDir('nfs.csi.example', handle)}/globalmount`)
    })
    expectSilent(node)
  },
)

test('check of volumes of other kinds, of subPaths, and of sockets that are not of CSI is silent', () => {
  const node = healthy((each) => {
    for (const kind of ['configmap/conf', 'secret/key', 'empty-dir/cache', 'host-path/x', 'local-volume/disk', 'nfs/share'])
      each.dir(`pods/${web}/volumes/kubernetes.io~${kind}`)
    each.mount(`pods/${web}/volumes/kubernetes.io~secret/key`, {device: '0:78', fsType: 'tmpfs', source: 'tmpfs'})
    each.mount(`pods/${web}/volumes/kubernetes.io~local-volume/disk`, {device: '254:0', sub: '/mnt/disk'})
    each.mount(`pods/${web}/volume-subpaths/pvc-web/app/0`, {device: '8:16', sub: '/sub'})
    each.put('plugins/dra.example/dra.sock', 'socket')
    each.put('plugins_registry/dra.example-reg.sock', 'socket')
    const endpoint = `${root}/plugins/dra.example/dra.sock`
    each.registrations.push({
      ...{socket: `${root}/plugins_registry/dra.example-reg.sock`, answer: {state: 'answers'}},
      ...{type: 'DRAPlugin', name: 'dra.example', endpoint, versions: ['v1']},
    })
    each.drivers.push({socket: endpoint, answer: {state: 'other-service', why: 'UNIMPLEMENTED'}})
  })
  expectSilent(node)
})

function unknownAndYoung(node: ExaminedNode): void {
  publishLeft(node, {age: 20})
  subpathLeft(node, {age: 20, device: '254:0'})
  deviceLeft(node, 20)
  stagingLeft(node)
  node.dir('pods', 20)
  node.says(25, 'I', `"SyncLoop DELETE" source="api" pods=["shop/last-0"]`)
  node.says(20, 'I', `"kubernetes.io/csi: calling NodeUnpublishVolume rpc" volID="vol-gone" targetPath="/x"`)
}

test('check of a pod that was deleted with --force 20 s ago has nothing above info', () => {
  expectAtMostInfo(healthy(unknownAndYoung))
})

test('check of a node whose kubelet is down, and the API server gives the pods, calls no static pod an orphan', () => {
  const node = healthy((each) => each.dir(`pods/${proxy}/volumes/kubernetes.io~empty-dir/x`))
  node.readings['kubelet.pods'] = failed('ECONNREFUSED')
  node.readings['kubelet.runningpods'] = failed('ECONNREFUSED')
  node.readings['kubelet.healthz'] = failed('ECONNREFUSED')
  expectAtMostInfo(node)
})

/** Two minutes after a reboot: web-0 is up again, two-0 and its raw block volume are still to be mounted. */
function rebooted(node: ExaminedNode): void {
  node.bootedAgo = 2 * minute
  node.log = []
  for (const line of ['"Kubelet version"', '"Starting Kubelet Volume Manager"', '"Reconciler: start to sync state"'])
    node.says(90, 'I', line)
  for (let at = 9; at >= 0; at--) node.says(at * 8 + 1, 'I', '"SyncLoop (housekeeping)"')
  node.inUse.push(uniqueName('vol-two'), uniqueName('vol-raw'))
  stage(node, 'vol-two', {bare: true})
  node.pod('two-0', job, ['two', 'raw'])
  publish(node, job, 'pvc-two', 'vol-two')
  blockVolume(node, job, 'pvc-raw', 'vol-raw')
  node.mounts = node.mounts.filter((line) => !line.includes(job))
  for (const place of ['publish/pvc-raw', 'pvc-raw/dev']) node.put(`${csi}/volumeDevices/${place}/${job}`, 'file')
  node.stop(job)
  node.runs('two-0', job, {ready: false, state: ContainerState.CONTAINER_EXITED})
}

// The kubelet started 90 s ago and mounts one volume after the other: 'a pod has had the volume for 5m' counts from the pod's creation, and that
// another volume of the driver is mounted already proves nothing of this one (bug-reports.md, T8; V05: 'uncertain if op < 5 min').
test('check of a node two minutes after a reboot, some of its volumes being mounted again, has nothing above info', () => {
  expectAtMostInfo(healthy(rebooted))
})

// The log tells when the kubelet started.
test('check of a node two minutes after a reboot, and nobody read when it booted, has nothing above info', () => {
  const node = healthy(rebooted)
  node.readings['kernel.boot'] = failed('EACCES')
  expectAtMostInfo(node)
})

test('check of a pod that is evicted and torn down right now has nothing above info', () => {
  const node = healthy((each) => {
    terminating(each, web, 3)
    each.unmount(`${webVolume}/mount`)
    each.dir(`${webVolume}/mount`, 1)
    each.changePod(web, {phase: 'Failed', reason: 'Evicted'})
  })
  expectAtMostInfo(node)
})

/** The pod ended five seconds ago and stays in the API; its volume was unpublished a second ago, and is being unstaged. */
function ended(node: ExaminedNode, phase: string): void {
  node.stop(web)
  node.runs('web-0', web, {ready: false, state: ContainerState.CONTAINER_EXITED})
  const exitCode = phase === 'Succeeded' ? 0 : 1
  node.changePod(web, {phase, containers: [{name: 'app', kind: 'regular', state: 'terminated', exitCode, finishedAt: ago(5)}]})
  node.remove(webVolume)
  node.unmount(`${webVolume}/mount`)
  node.dir(`pods/${web}/volumes/kubernetes.io~csi`, 1)
}

// What the kubelet writes at its default verbosity (kubelet-behaviour.md, 7.2).
test.each(['Failed', 'Succeeded'])('check of a pod that has just %s: its volume is unpublished, and the log says so', (phase) => {
  const node = healthy((each) => {
    ended(each, phase)
    const volume = `(UniqueName: \\"${uniqueName('vol-web')}\\")`
    each.says(
      2,
      'I',
      `"UnmountVolume.TearDown succeeded for volume \\"${uniqueName('vol-web')}\\" (OuterVolumeSpecName: \\"data\\") pod \\"${web}\\""`,
    )
    each.says(1, 'I', `"operationExecutor.UnmountDevice started for volume \\"pvc-web\\" ${volume} on node \\"n1\\" "`)
  })
  expectAtMostInfo(node)
})

test.each(['Failed', 'Succeeded'])('check of a pod that has just %s, and no log was read, has nothing above info', (phase) => {
  expectAtMostInfo(without(healthy((node) => ended(node, phase)).snapshot(), 'kubelet.log'))
})

// The lines were lost, as journald drops what comes too fast. The directory of the pod changed a second ago, and without the log V04 is info for
// it; with a log that is silent it is an error. A log that lacks lines is no proof against what the disk says (bug-reports.md, T8).
test.each(['Failed', 'Succeeded'])('check of a pod that has just %s, and the log lacks those lines, has nothing above info', (phase) => {
  expectAtMostInfo(healthy((node) => ended(node, phase)))
})

// The same for a pod that is gone: pods/ changed 20 s ago.
test('check of a volume whose pod went 20 s ago, and the log lacks lines, has nothing above info', () => {
  const node = healthy((each) => {
    stagingLeft(each)
    each.dir('pods', 20)
  })
  expectAtMostInfo(node)
})

test('check of that pod while NodeUnstageVolume is answered and the globalmount gone, and the record of the pod not yet', () => {
  const node = healthy((each) => {
    each.stop(web)
    each.runs('web-0', web, {ready: false, state: ContainerState.CONTAINER_EXITED})
    each.changePod(web, {
      phase: 'Failed',
      containers: [{name: 'app', kind: 'regular', state: 'terminated', exitCode: 1, finishedAt: ago(5)}],
    })
    each.remove(webStaging)
    each.unmount(`${webStaging}/globalmount`)
    each.unmount(`${webVolume}/mount`)
    each.remove(`${webVolume}/mount`)
    each.dir(webVolume, 1)
  })
  expectAtMostInfo(node)
})

test('check of a pod that was made after the list of pods and before the walk has nothing above info', () => {
  const node = healthy((each) => {
    publishLeft(each, {age: -1})
    stage(each, 'vol-gone', {age: -1})
    each.inUse.push(uniqueName('vol-gone'))
    each.dir('pods', -1)
  })
  expectAtMostInfo(node)
})

test('check of a pod that moves: the old one is deleted on this node, and the new one takes the volume over from it', () => {
  const node = healthy((each) => {
    terminating(each, web, 5)
    each.pod('web-1', job, ['data'], {phase: 'Pending', createdAt: ago(4), containers: [{name: 'app', kind: 'regular', state: 'waiting'}]})
    each.put(`pods/${job}/etc-hosts`, 'file', 3)
  })
  expectAtMostInfo(node)
})

test('check of a node whose root is mounted on itself, as the captured one, is silent', () => {
  const node = healthy()
  node.mounts = node.mounts.map((line) => line.replace(/^(\d+) 1 /, '$1 42 '))
  node.mounts.unshift(`42 1 254:0 ${root} ${root} rw,relatime shared:9 - ext4 /dev/vda rw`)
  expectSilent(node)
})

test('check of a node below another root, with a trailing link, is silent', () => {
  const node = healthy()
  node.real = '/var/lib/rancher/k3s/agent/kubelet'
  node.mounts = node.mounts.map((line) => line.replaceAll(root, node.real ?? ''))
  node.devices = node.devices.map((device) => ({
    ...device,
    ...(device.backingFile && {backingFile: device.backingFile.replace(root, node.real ?? '')}),
  }))
  expectSilent(node)
})

test('check of a node where the pods of the kubelet were read an instant before a new one came: both know the others', () => {
  const node = healthy((each) => {
    each.runs('new-0', gone, {started: 2})
    each.put(`pods/${gone}/etc-hosts`, 'file', 1)
    each.dir(`pods/${gone}/volumes`, 1)
  })
  node.readings['kubelet.pods'] = read(node.pods)
  expectAtMostInfo(node)
})

test('check of a pod that has the same raw block and filesystem claims as its predecessor, which is gone for a second', () => {
  const node = healthy((each) => {
    each.forget(db)
    each.dir(`pods/${db}`, 1)
    each.dir('pods', 1)
    each.pod('db-1', job, ['disk'], {phase: 'Pending', createdAt: ago(1), containers: []})
    for (const place of [`publish/pvc-db/${db}`, `pvc-db/dev/${db}`]) each.put(`${csi}/volumeDevices/${place}`, 'block', 2)
  })
  expectAtMostInfo(node)
  expect(reportOf(node).looked).toContain('V11')
})
