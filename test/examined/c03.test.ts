import {expect, test} from 'vitest'
import {expectAtMostInfo, expectNone, expectOnly, expectSilent, reportOf, unseenOf} from '../support/examined/expect.ts'
import {addDriver, ebs, ebsRegistration, ebsSocket, healthy} from '../support/examined/healthy.ts'
import {day, minute, root, without} from '../support/examined/node.ts'
import {driverSilent} from '../support/examined/pictures.ts'

const silent = {state: 'silent', why: 'no answer within 5 s'} as const

test('C03 k8s#129799: the driver accepts and does not answer, and volumes need it', () => {
  expectOnly(healthy(driverSilent), ['C03', 'error', {driver: ebs}])
})

test('C03 look-alike: Probe says that it is not ready, so it lives', () => {
  const node = healthy()
  node.drivers = node.drivers.map((driver) => ({...driver, ready: false}))
  expectAtMostInfo(node)
})

test('C03 no volume needs it', () => {
  const node = healthy((each) => {
    addDriver(each, 'spare.example', [])
    each.drivers = each.drivers.map((one) => (one.name === 'spare.example' ? {socket: one.socket, answer: silent} : one))
  })
  expectOnly(node, ['C03', 'warning', {driver: 'spare.example'}])
})

test('C03 only its registration does not answer', () => {
  const node = healthy((each) => {
    each.registrations = each.registrations.map((one) => (one.name === ebs ? {socket: one.socket, answer: silent} : one))
  })
  const {findings} = reportOf(node)
  const found = findings.filter(({severity}) => severity !== 'info')
  expect(found.map(({code, severity}) => `${code} ${severity}`)).toEqual(['C03 warning'])
})

test('C03 the node started 3 minutes ago: a slow start', () => {
  const node = healthy(driverSilent)
  node.bootedAgo = 3 * minute
  expectAtMostInfo(node)
})

test('C03 look-alike: a driver that takes 0.8 s, asked under --deadline 3s', () => {
  const hasty = {state: 'silent', why: 'it has not answered GetInfo for 510ms', waitedMs: 510} as const
  const node = healthy((each) => {
    each.registrations = each.registrations.map((one) => (one.name === ebs ? {socket: one.socket, answer: hasty} : one))
    each.drivers = each.drivers.map((one) => (one.name === ebs ? {socket: one.socket, answer: hasty} : one))
  })
  const report = expectSilent(node)
  expect(report.looked).not.toContain('C03')
  expect(unseenOf(report, 'csi.drivers')).toContain('--deadline')
})

test('C03 the socket is 10 s old', () => {
  const node = healthy((each) => {
    driverSilent(each)
    each.put(ebsSocket, 'socket', 10)
    each.put(ebsRegistration, 'socket', 10)
  })
  expectAtMostInfo(node)
})

test.each([
  ['relative', '../plugins/ebs/reg.sock', 'plugins/ebs/reg.sock', day, 5],
  ['absolute', `${root}/plugins/ebs/reg.sock`, 'plugins/ebs/reg.sock', day, 5],
  ['young itself', '../plugins/ebs/reg.sock', 'plugins/ebs/reg.sock', 5, day],
  ['young, and leads out of the root', '/run/reg.sock', undefined, 5, day],
] as const)('C03 the registration is a link that is %s: the younger of it and the socket counts', (_, target, path, linkAge, socketAge) => {
  const node = healthy((each) => {
    each.registrations = each.registrations.map((one) => (one.name === ebs ? {socket: one.socket, answer: silent} : one))
    each.put(ebsRegistration, 'link', linkAge, {target})
    if (path !== undefined) each.put(path, 'socket', socketAge)
  })
  expectAtMostInfo(node)
})

test('C03 the registration is an old link to an old socket', () => {
  const node = healthy((each) => {
    each.registrations = each.registrations.map((one) => (one.name === ebs ? {socket: one.socket, answer: silent} : one))
    each.put(ebsRegistration, 'link', day, {target: '../plugins/ebs/reg.sock'})
    each.put('plugins/ebs/reg.sock', 'socket', day)
  })
  expectOnly(node, ['C03', 'warning'])
})

test('C03 a link in a circle has no age', () => {
  const node = healthy((each) => {
    each.registrations = each.registrations.map((one) => (one.name === ebs ? {socket: one.socket, answer: silent} : one))
    each.put(ebsRegistration, 'link', day, {target: 'round.sock'})
    each.put('plugins_registry/round.sock', 'link', day, {target: `./../plugins_registry/${ebsRegistration.split('/').at(-1)}`})
  })
  expectOnly(node, ['C03', 'warning'])
})

test('C03 pmem-csi#394: what answers UNIMPLEMENTED to GetInfo is a driver, and no registration', () => {
  const node = healthy((each) => {
    each.put('plugins_registry/csi.sock', 'socket')
    each.registrations.push({socket: `${root}/plugins_registry/csi.sock`, answer: {state: 'other-service', why: 'UNIMPLEMENTED'}})
  })
  expectAtMostInfo(node)
})

test('C03 a silent socket in plugins/ that is nobody knows whose', () => {
  const node = healthy((each) => {
    each.put('plugins/tool/agent.sock', 'socket')
    each.drivers.push({socket: `${root}/plugins/tool/agent.sock`, answer: silent})
  })
  expectAtMostInfo(node)
})

test('C03 it is one trouble: neither C01 nor C02, and no volume is called broken for it', () => {
  const node = healthy(driverSilent)
  expectNone(node, 'C01')
  expectNone(node, 'C02')
})

test('C03 a socket that speaks something else than gRPC', () => {
  const node = healthy((each) => {
    each.put('plugins/web/http.sock', 'socket')
    each.drivers.push({socket: `${root}/plugins/web/http.sock`, answer: {state: 'not-grpc', why: 'HTTP/1.1'}})
  })
  expectSilent(node)
})

test('C03 without the socket of the driver nothing is said of it', () => {
  expectAtMostInfo(without(healthy(driverSilent).snapshot(), 'csi.drivers'))
})
