import fc from 'fast-check'
import {expect, test} from 'vitest'
import {withCauses} from '../../src/findings/causes.ts'
import {detect} from '../../src/findings/detect.ts'
import {detectors} from '../../src/findings/detectors.ts'
import type {Finding} from '../../src/findings/finding.ts'
import {profileOf} from '../../src/kubelet/profiles.ts'
import {generatedNode, generatedSnapshot} from '../support/generated-node.ts'

const finding = (code: string, subject: Finding['subject'], cause: Finding['cause'] = null): Finding => ({
  code,
  name: 'n',
  severity: 'error',
  subject,
  message: 'm',
  evidence: [],
  cause,
  remedy: [],
  links: [],
})
const driver = finding('C02', {kind: 'Driver', driver: 'd', path: '/s'})
const cause = {code: 'C02', subject: driver.subject}

test('withCauses() names the finding about its driver as the cause of what is wrong with a volume', () => {
  const volume = finding('U02', {kind: 'Volume', driver: 'd'})
  expect(withCauses([volume, driver])).toEqual([{...volume, cause}, driver])
})

test.each([
  ['a volume of another driver', finding('U02', {kind: 'Volume', driver: 'e'})],
  ['a volume of an unknown driver', finding('U02', {kind: 'Volume'})],
  ['a finding that does not follow from a dead driver', finding('V02', {kind: 'Volume', driver: 'd'})],
])('withCauses() leaves %s alone', (_what, volume) => {
  expect(withCauses([volume, driver])).toEqual([volume, driver])
})

test('withCauses() drops a cause that is no finding', () => {
  const volume = finding('V09', {kind: 'Volume', driver: 'd'}, cause)
  expect(withCauses([volume])).toEqual([{...volume, cause: null}])
  expect(withCauses([volume, driver])).toEqual([volume, driver])
})

const snapshot = generatedSnapshot(generatedNode({seed: 3, pods: 30, volumes: 100}))
const state = fc.constantFrom('answers', 'missing', 'refused', 'silent', 'denied', 'not-socket', 'not-grpc', 'other-service', 'failed')
const {'csi.drivers': drivers, 'csi.registrations': registrations} = snapshot.readings

test('detect() gives only causes that are findings, whatever the sockets say', () => {
  if (drivers.state !== 'read' || registrations.state !== 'read') throw new Error('unreachable')
  const change = <T extends {readonly socket: string}>(values: readonly T[], states: readonly string[]) =>
    values.map((value, index): T => {
      const said = states[index] ?? 'answers'
      return said === 'answers' ? value : ({socket: value.socket, answer: {state: said, why: said}} as unknown as T)
    })
  fc.assert(
    fc.property(fc.array(state, {maxLength: 3}), fc.array(state, {maxLength: 3}), (ofDrivers, ofRegistrations) => {
      const readings = {
        ...snapshot.readings,
        'csi.drivers': {state: 'read', value: change(drivers.value, ofDrivers)},
        'csi.registrations': {state: 'read', value: change(registrations.value, ofRegistrations)},
      } as const
      const {findings} = detect({...snapshot, readings}, profileOf('1.36.2'), detectors)
      const told = new Set(findings.map(({code, subject}) => JSON.stringify([code, subject])))
      expect(findings.filter((each) => each.cause !== null && !told.has(JSON.stringify([each.cause.code, each.cause.subject])))).toEqual([])
      const troubled = new Set(findings.filter(({code}) => code.startsWith('C')).map(({subject}) => subject.driver))
      // One root cause is one finding.
      expect(findings.filter(({code}) => code.startsWith('C'))).toHaveLength(troubled.size)
    }),
    {numRuns: 60},
  )
})
