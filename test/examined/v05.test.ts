import {expect, test} from 'vitest'
import {read} from '../../src/node/reading.ts'
import {expectAtMostInfo, expectNone, expectOnly, expectSilent, reportOf} from '../support/examined/expect.ts'
import {
  csi,
  ebs,
  gone,
  healthy,
  inline,
  podRecord,
  publish,
  stage,
  uniqueName,
  volumeDir,
  web,
  webStaging,
  webVolume,
} from '../support/examined/healthy.ts'
import {ago, hour, minute, root, without} from '../support/examined/node.ts'
import {job, publishWithoutStage, terminating} from '../support/examined/pictures.ts'

test('V05 k8s#100182: the volume is in the directory of a pod that waits for 20 minutes, and its staging directory is gone', () => {
  expectOnly(
    healthy((node) => publishWithoutStage(node)),
    ['V05', 'error', {driver: ebs, handle: 'vol-web'}],
  )
})

test('V05 look-alike: a driver that stages nothing on any globalmount', () => {
  expectSilent(
    healthy((node) => {
      node.unmount(`${webStaging}/globalmount`)
    }),
  )
})

test('V05 the pod is 2 minutes old: at most info', () => {
  expectAtMostInfo(healthy((node) => publishWithoutStage(node, 2 * minute)))
})

test('V05 the driver has no STAGE_UNSTAGE_VOLUME', () => {
  const node = healthy((each) => publishWithoutStage(each))
  node.drivers = node.drivers.map((each) => (each.name === ebs ? {...each, capabilities: ['GET_VOLUME_STATS']} : each))
  expectSilent(node)
})

test('V05 the driver was not asked: no proof that it stages, as its other volumes are none', () => {
  const node = healthy((each) => publishWithoutStage(each))
  expectAtMostInfo(without(node.snapshot(), 'csi.drivers'))
})

test('V05 k8s#106729: the directory is there, bare, while another volume of the driver is mounted on its globalmount', () => {
  const node = healthy((each) => {
    publishWithoutStage(each)
    stage(each, 'vol-web', {bare: true})
    each.inUse.push(uniqueName('vol-two'))
    stage(each, 'vol-two')
    each.pod('two-0', job, ['two'])
    each.runs('two-0', job)
    publish(each, job, 'pvc-two', 'vol-two')
  })
  expectOnly(node, ['V05', 'error', {handle: 'vol-web'}])
})

test('V05 the directory and its record are there, bare, and no other volume of the driver tells: nothing is proven', () => {
  const node = healthy((each) => {
    publishWithoutStage(each)
    stage(each, 'vol-web', {bare: true, age: 20 * minute})
  })
  expectAtMostInfo(node)
})

test('V05 the staging of 1.23 and earlier is there', () => {
  const node = healthy((each) => {
    each.remove(webStaging)
    each.unmount(`${webStaging}/globalmount`)
    each.dir(`${csi}/pv/pvc-web/globalmount`)
    each.record(`${csi}/pv/pvc-web/vol_data.json`, {driverName: ebs, volumeHandle: 'vol-web'})
    each.mount(`${csi}/pv/pvc-web/globalmount`, {device: '8:16'})
  })
  expectSilent(node)
})

test('V05 the volume of the pod is a mount of something real: the driver stages elsewhere', () => {
  const node = healthy((each) => {
    each.remove(webStaging)
    each.unmount(`${webStaging}/globalmount`)
  })
  expectAtMostInfo(node)
})

test('V05 an inline volume is never staged, whatever its driver can', () => {
  const node = healthy()
  node.drivers = node.drivers.map((each) => (each.name === inline ? {...each, capabilities: ['STAGE_UNSTAGE_VOLUME']} : each))
  expectSilent(node)
})

test('V05 the volume is being unmounted right now: unstaged a second ago, and the directory of the pod not yet removed', () => {
  const node = healthy((each) => {
    publishWithoutStage(each, hour)
    terminating(each, web, 20)
  })
  expectAtMostInfo(node)
})

test('V05 the globalmount has the other name of a root that is a link', () => {
  const node = healthy()
  node.real = '/data/kubelet'
  node.mounts = node.mounts.map((line) => line.replaceAll(root, '/data/kubelet'))
  expectSilent(node)
})

test('V05 the pod pulls its image for 3 minutes while its volume is staged and published', () => {
  const node = healthy((each) => {
    each.stop(web)
    const containers = [{name: 'app', kind: 'regular', state: 'waiting', reason: 'ContainerCreating'}] as const
    each.changePod(web, {phase: 'Pending', createdAt: ago(3 * minute), containers})
  })
  expectSilent(node)
})

test('V05 the walk broke off: the staging directory may be there', () => {
  const node = healthy((each) => publishWithoutStage(each))
  const entries = node.snapshot().readings['disk.entries']
  if (entries.state === 'read') node.readings['disk.entries'] = read(entries.value, 'the walk was cut')
  expectAtMostInfo(node)
})

test('V05 nobody has the pod: that is an orphan, not a volume that misses its staging', () => {
  const node = healthy((each) => {
    each.record(`${volumeDir(gone, 'pvc-gone')}/vol_data.json`, podRecord('pvc-gone', 'vol-gone'), hour)
  })
  expectNone(node, 'V05')
})

test.each(['host#path/to/share#pvc-1##', 'a^b^c'])('V05 the handle is %j', (handle) => {
  const node = healthy((each) => {
    publishWithoutStage(each)
    each.record(`${webVolume}/vol_data.json`, podRecord('pvc-web', handle), 20 * minute)
    each.inUse = [uniqueName(handle), uniqueName('vol-db')]
  })
  expectOnly(node, ['V05', 'error', {driver: ebs, handle}])
})

test("V05 the kubelet's list is empty while sandboxes run", () => {
  const node = healthy((each) => publishWithoutStage(each))
  node.pods = []
  node.apiPods = []
  expect(reportOf(node).findings.filter(({severity}) => severity !== 'info')).toEqual([])
})

// Up to 1.24 the record in the directory of the pod is written before NodeStageVolume.
test.each([false, true])(
  'V05 look-alike: a pod of 1.22 that has waited for its volume for 10 minutes is silent (being staged: %s)',
  (staging) => {
    const node = healthy((each) => {
      each.pod('two-0', job, ['two'], {
        phase: 'Pending',
        createdAt: ago(10 * minute),
        containers: [{name: 'app', kind: 'regular', state: 'waiting'}],
      })
      each.record(`${volumeDir(job, 'pvc-two')}/vol_data.json`, podRecord('pvc-two', 'vol-two'), 10 * minute)
      if (!staging) return
      each.inUse.push(uniqueName('vol-two'))
      stage(each, 'vol-two', {bare: true, age: 20})
    })
    node.version = '1.22.6'
    expectSilent(node)
  },
)

test('V05 look-alike: a kubelet that writes the record of a volume a minute ago, for a pod of 3 minutes, has nothing above info', () => {
  const node = healthy((each) => {
    each.inUse.push(uniqueName('vol-two'))
    stage(each, 'vol-two', {bare: true})
    each.pod('two-0', job, ['two'], {
      phase: 'Pending',
      createdAt: ago(3 * minute),
      containers: [{name: 'app', kind: 'regular', state: 'waiting'}],
    })
    each.record(`${volumeDir(job, 'pvc-two')}/vol_data.json`, podRecord('pvc-two', 'vol-two'), minute)
  })
  expectAtMostInfo(node)
})
