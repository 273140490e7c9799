import {expect, test} from 'vitest'
import {expectAtMostInfo, expectNone, expectOnly, expectSilent, pathsIn, reportOf} from '../support/examined/expect.ts'
import {ebs, ebsRegistration, ebsSocket, healthy} from '../support/examined/healthy.ts'
import {day, type ExaminedNode, minute, root, without} from '../support/examined/node.ts'
import {socketsDead} from '../support/examined/pictures.ts'

const refused = {state: 'refused', why: 'ECONNREFUSED'} as const

function registrationDead(node: ExaminedNode): void {
  node.registrations = node.registrations.map((one) => (one.name === ebs ? {socket: one.socket, answer: refused} : one))
}

test('C02 both sockets refuse after the node was switched off, and volumes need the driver', () => {
  expectOnly(healthy(socketsDead), ['C02', 'error', {driver: ebs}])
})

test('C02 look-alike: an old socket beside the one that the driver answers on now', () => {
  const node = healthy((each) => {
    each.put('plugins/ebs-old/csi.sock', 'socket')
    each.drivers.push({socket: `${root}/plugins/ebs-old/csi.sock`, answer: refused})
  })
  expectAtMostInfo(node)
})

// The kubelet knows no driver whose registration socket refuses: its calls end with 'not found in the list' although the driver runs.
test('C02 node-driver-registrar#206: the registration refuses, the driver itself answers, and volumes need it: above info', () => {
  const {findings} = reportOf(healthy(registrationDead))
  const found = findings.filter(({severity}) => severity !== 'info')
  expect(found.map(({code}) => code)).toEqual([expect.stringMatching(/^C0[12]$/)])
})

test('C02 a stale registration beside the one that answers: at most info', () => {
  const node = healthy((each) => {
    each.put(`plugins_registry/${ebs}-reg-old.sock`, 'socket')
    each.registrations.push({socket: `${root}/plugins_registry/${ebs}-reg-old.sock`, answer: refused})
  })
  const {findings} = reportOf(node)
  expect(findings.filter(({severity}) => severity === 'error' || severity === 'critical')).toEqual([])
})

test('C02 a registration of a driver that is long gone and that no volume needs: a warning at most', () => {
  const node = healthy((each) => {
    each.put('plugins_registry/old.example-reg.sock', 'socket')
    each.registrations.push({socket: `${root}/plugins_registry/old.example-reg.sock`, answer: refused})
  })
  expectOnly(node, ['C02', 'warning'])
})

test('C02 the sockets are 10 s old: the driver is being restarted', () => {
  const node = healthy((each) => {
    socketsDead(each)
    each.put(ebsSocket, 'socket', 10)
    each.put(ebsRegistration, 'socket', 10)
  })
  expectAtMostInfo(node)
})

test('C02 we may not open it', () => {
  const node = healthy((each) => {
    const answer = {state: 'denied', why: 'EACCES'} as const
    each.drivers = each.drivers.map((driver) => (driver.name === ebs ? {socket: driver.socket, answer} : driver))
  })
  expectSilent(node)
})

test('C02 the node started 3 minutes ago', () => {
  const node = healthy(socketsDead)
  node.bootedAgo = 3 * minute
  expectAtMostInfo(node)
})

test('C02 two drivers share a directory and one of them is dead', () => {
  const node = healthy((each) => {
    const socket = `${root}/plugins/${ebs}/other.sock`
    each.put(`plugins/${ebs}/other.sock`, 'socket')
    each.put('plugins_registry/other.example-reg.sock', 'socket')
    each.drivers.push({socket, answer: refused})
    const said = {type: 'CSIPlugin', name: 'other.example', endpoint: socket, versions: ['1.0.0']}
    each.registrations.push({socket: `${root}/plugins_registry/other.example-reg.sock`, answer: {state: 'answers'}, ...said})
  })
  const report = expectOnly(node, ['C02', 'warning', {driver: 'other.example'}])
  expect(report.findings.map(({subject}) => subject.driver)).not.toContain(ebs)
})

test('C02 a socket in plugins/ that is nobody knows whose', () => {
  const node = healthy((each) => {
    each.put('plugins/tool/agent.sock', 'socket')
    each.drivers.push({socket: `${root}/plugins/tool/agent.sock`, answer: refused})
  })
  expectAtMostInfo(node)
})

test('C02 the socket is a plain file now', () => {
  const node = healthy((each) => {
    each.put('plugins_registry/readme.sock', 'file')
    each.registrations.push({socket: `${root}/plugins_registry/readme.sock`, answer: {state: 'not-socket', why: 'it is a file'}})
  })
  expectAtMostInfo(node)
})

test('C02 only the own socket refuses, and the registrar answers', () => {
  const node = healthy((each) => {
    each.drivers = each.drivers.map((driver) => (driver.name === ebs ? {socket: driver.socket, answer: refused} : driver))
  })
  expectOnly(node, ['C02', 'error', {driver: ebs}])
})

test('C02 the driver was deleted and came back: one trouble a driver, and no C01 or C03 beside it', () => {
  const node = healthy(socketsDead)
  expectNone(node, 'C01')
  expectNone(node, 'C03')
})

test('C02 the path of the socket is odd: each path is one word', () => {
  const path = "plugins_registry/it's $(x)-reg.sock"
  const node = healthy((each) => {
    each.put(path, 'socket', day)
    each.registrations.push({socket: `${root}/${path}`, answer: refused})
  })
  const {findings} = reportOf(node)
  const commands = findings.flatMap(({remedy}) => remedy.map(({command}) => command)).join('\n')
  const paths = pathsIn(reportOf(node), 'C02').filter((word) => word.includes('it'))
  if (commands.includes('reg.sock')) expect(paths).toContain(`${root}/${path}`)
})

test('C02 without sockets it is not looked for', () => {
  const report = expectNone(without(healthy(socketsDead).snapshot(), 'csi.drivers', 'csi.registrations'), 'C02')
  expect(report.looked).not.toContain('C02')
})
