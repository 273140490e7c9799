import {expect, test} from 'vitest'
import {fieldSelector} from '../../../src/lab/api/field-selector.ts'
import {kindOf} from '../../../src/lab/api/kinds.ts'
import {labelSelector} from '../../../src/lab/api/label-selector.ts'

const document = {
  metadata: {name: 'a', namespace: 'n', labels: {app: 'web', tier: 'front'}},
  spec: {nodeName: 'lab'},
  status: {phase: 'Running'},
}

test.each([
  ['', true],
  ['app=web', true],
  ['app==web,tier=front', true],
  ['app!=web', false],
  ['gone!=web', true],
  ['app in (db, web)', true],
  ['app notin (db,web)', false],
  ['gone notin (a)', true],
  ['gone in (a)', false],
  ['app', true],
  ['!app', false],
  ['!gone', true],
  ['app in (web),!gone,tier', true],
])('labelSelector() %j is %s of a pod with app=web,tier=front', (text, matches) => {
  expect(labelSelector(text)(document)).toBe(matches)
})

const pods = kindOf('', 'v1', 'pods')
if (pods === undefined) throw new Error('no pods')

test.each([
  ['', true],
  ['metadata.name=a,metadata.namespace=n', true],
  ['metadata.name!=a', false],
  ['spec.nodeName=lab', true],
  ['spec.nodeName=', false],
  ['status.podIP=', true],
  ['status.phase!=Succeeded,status.phase!=Failed', true],
])('fieldSelector() %j is %s', (text, matches) => {
  expect(fieldSelector(pods, text)(document)).toBe(matches)
})

test('selectors refuse what the server would', () => {
  expect(() => labelSelector('a b')).toThrow('unable to parse requirement: a b')
  expect(() => fieldSelector(pods, 'spec.foo=a')).toThrow('field label not supported: spec.foo')
  expect(() => fieldSelector(pods, 'foo')).toThrow("invalid selector: 'foo'; can't understand 'foo'")
})
