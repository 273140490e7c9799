import {expect, test} from 'vitest'
import {read} from '../../src/node/reading.ts'
import {expectAtMostInfo, expectNone, expectOnly, expectSilent, reportOf} from '../support/examined/expect.ts'
import {addDriver, db, ebs, ebsRegistration, ebsSocket, healthy, stage, uniqueName, web, webStaging} from '../support/examined/healthy.ts'
import {type ExaminedNode, minute, root, without} from '../support/examined/node.ts'
import {driverRemoved, recordEmpty} from '../support/examined/pictures.ts'

function unused(node: ExaminedNode): void {
  for (const uid of [web, db]) {
    node.forget(uid)
    node.remove(`pods/${uid}`)
    node.mounts = node.mounts.filter((line) => !line.includes(uid))
  }
  node.remove(webStaging)
  node.unmount(`${webStaging}/globalmount`)
  node.remove('plugins/kubernetes.io/csi/volumeDevices')
  node.devices = node.devices.filter(({name}) => name !== 'loop1')
  node.inUse = []
}

test('C01 secrets-store#895: the driver was removed before its pods', () => {
  const report = expectOnly(healthy(driverRemoved), ['C01', 'error', {driver: ebs}])
  expect(report.findings.filter(({code}) => code === 'C01')).toHaveLength(1)
})

test('C01 look-alike: the node started 3 minutes ago, and its drivers come one after the other', () => {
  const node = healthy(driverRemoved)
  node.bootedAgo = 3 * minute
  expectAtMostInfo(node)
})

// As a kubelet starts: volume_manager.go, reconciler.go.
test('C01 the kubelet started a minute ago, the node did not', () => {
  const node = healthy(driverRemoved)
  node.log = node.log.slice(-1)
  for (const line of ['"Kubelet version"', '"Starting Kubelet Volume Manager"', '"Reconciler: start to sync state"'])
    node.says(minute, 'I', line)
  expectAtMostInfo(node)
})

test('C01 its own socket answers and its registration is missing', () => {
  const node = healthy()
  node.registrations = node.registrations.filter(({name}) => name !== ebs)
  node.remove(ebsRegistration)
  expectOnly(node, ['C01', 'warning', {driver: ebs}])
})

test('C01 we may open neither of its sockets: we could not look', () => {
  const answer = {state: 'denied', why: 'EACCES'} as const
  const node = healthy((each) => {
    each.drivers = each.drivers.map((driver) => (driver.name === ebs ? {socket: driver.socket, answer} : driver))
    each.registrations = each.registrations.map((one) => (one.name === ebs ? {socket: one.socket, answer} : one))
  })
  expectAtMostInfo(node)
})

test('C01 registrations were not read, or not all', () => {
  const node = healthy(driverRemoved)
  expect(expectNone(without(node.snapshot(), 'csi.registrations'), 'C01').looked).not.toContain('C01')
  node.readings['csi.registrations'] = read([], 'a limit was met')
  expectAtMostInfo(node)
})

test('C01 csi-hostpath#71: a driver with another name answers where this one was', () => {
  const node = healthy((each) => {
    each.drivers = each.drivers.map((driver) => (driver.name === ebs ? {...driver, name: 'new.ebs.example'} : driver))
    each.registrations = each.registrations.map((one) => (one.name === ebs ? {...one, name: 'new.ebs.example'} : one))
  })
  const report = expectOnly(node, ['C01', 'error', {driver: ebs}])
  expect(JSON.stringify(report.findings)).toContain('new.ebs.example')
})

test('C01 the driver answers in a directory with another name', () => {
  const node = healthy((each) => {
    driverRemoved(each)
    addDriver(each, 'some-dir', ['STAGE_UNSTAGE_VOLUME'])
    each.drivers = each.drivers.map((driver) => (driver.name === 'some-dir' ? {...driver, name: ebs} : driver))
    each.registrations = each.registrations.map((one) => (one.name === 'some-dir' ? {...one, name: ebs} : one))
  })
  expectSilent(node)
})

test('C01 the socket of the driver lies outside of the root', () => {
  const node = healthy((each) => {
    each.remove(ebsSocket)
    each.drivers = each.drivers.map((driver) => (driver.name === ebs ? {...driver, socket: '/run/ebs/csi.sock'} : driver))
    each.registrations = each.registrations.map((one) => (one.name === ebs ? {...one, endpoint: '/run/ebs/csi.sock'} : one))
  })
  expectSilent(node)
})

test('C01 no volume needs the driver that was removed', () => {
  const node = healthy((each) => {
    driverRemoved(each)
    unused(each)
  })
  expectSilent(node)
})

test('C01 nothing but a staged volume needs it: its unstage will never come', () => {
  const node = healthy((each) => {
    driverRemoved(each)
    unused(each)
    stage(each, 'vol-gone')
    each.inUse = [uniqueName('vol-gone')]
  })
  const {findings} = reportOf(node)
  expect(findings.filter(({severity}) => severity !== 'info').map(({code, severity}) => `${code} ${severity}`)).toContain('C01 error')
})

test('C01 a socket that a device plugin registers is no driver', () => {
  const node = healthy()
  node.registrations.push({
    ...{socket: `${root}/plugins_registry/gpu-reg.sock`, answer: {state: 'answers'}},
    ...{type: 'DevicePlugin', name: ebs, endpoint: `${root}/device-plugins/gpu.sock`, versions: ['v1beta1']},
  })
  expectSilent(node)
  node.registrations = node.registrations.filter(({type, name}) => type !== 'CSIPlugin' || name !== ebs)
  node.drivers = node.drivers.filter(({name}) => name !== ebs)
  node.remove(ebsSocket)
  node.remove(ebsRegistration)
  expectOnly(node, ['C01', 'error', {driver: ebs}])
})

test('C01 the record that names the driver is unreadable: no driver is missing', () => {
  expectNone(healthy(recordEmpty), 'C01')
})

test('C01 only an inline volume needs the driver', () => {
  const node = healthy()
  node.drivers = node.drivers.filter(({name}) => name === ebs)
  node.registrations = node.registrations.filter(({name}) => name === ebs)
  for (const path of ['plugins/inline.csi.example', 'plugins_registry/inline.csi.example-reg.sock']) node.remove(path)
  const report = expectOnly(node, ['C01', 'error', {driver: 'inline.csi.example'}])
  expect(JSON.stringify(report.findings)).toContain('scratch')
})
