import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {mark, redact} from '../../src/node/redaction.ts'

const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0aaaa.c2lnbmF0dXJl'

describe('redact() of JSON', () => {
  test.each([
    ['a value of the environment', {env: [{name: 'A', value: 'hunter2'}]}, {env: [{name: 'A', value: mark}]}],
    [
      'the applied configuration',
      {annotations: {'kubectl.kubernetes.io/last-applied-configuration': '{"env":"hunter2"}'}},
      {annotations: {'kubectl.kubernetes.io/last-applied-configuration': mark}},
    ],
    [
      'a credential in a volume context',
      {volumeAttributes: {password: 'hunter2', size: '1Gi'}},
      {volumeAttributes: {password: mark, size: '1Gi'}},
    ],
    ['a registry login', {auths: {'r.example': {auth: 'aHVudGVyMg=='}}}, {auths: {'r.example': {auth: mark}}}],
    ['a token anywhere', {message: `denied: ${jwt}`}, {message: `denied: ${mark}`}],
    ['an option of a command', {args: ['--password=hunter2', '--port=80']}, {args: [`--password=${mark}`, '--port=80']}],
  ])('takes out %s', (_what, document, expected) => {
    const {text, hits} = redact(JSON.stringify(document), 'json')
    expect(JSON.parse(text)).toEqual(expected)
    expect(Object.values(hits)).toEqual([1])
  })

  test.each([
    ['a reference to a Secret', {secretName: 'db-login', env: [{name: 'A', valueFrom: {secretKeyRef: {name: 'db', key: 'password'}}}]}],
    ['a flag about tokens', {automountServiceAccountToken: false}],
    ['an empty value', {env: [{name: 'A', value: ''}]}],
  ])('leaves %s', (_what, document) => {
    const {text, hits} = redact(JSON.stringify(document), 'json')
    expect(JSON.parse(text)).toEqual(document)
    expect(hits).toEqual({})
  })
})

describe('redact() of text', () => {
  test.each([
    [
      'a spec in the log',
      'Env:[]EnvVar{EnvVar{Name:A,Value:hunter2,ValueFrom:nil,},}',
      `Env:[]EnvVar{EnvVar{Name:A,Value:${mark},ValueFrom:nil,},}`,
    ],
    ['a bearer token', 'Authorization: Bearer abcdefgh12345', `Authorization: Bearer ${mark}`],
    [
      'options of a mount',
      '12 1 0:5 / /m rw - cifs //s/x rw,username=u,password=hunter2,uid=0',
      `12 1 0:5 / /m rw - cifs //s/x rw,username=u,password=${mark},uid=0`,
    ],
    ['a private key', '-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----', mark],
  ])('takes %s out', (_what, text, expected) => {
    expect(redact(text, 'text').text).toBe(expected)
  })

  test('leaves a line about a volume alone', () => {
    const line = 'MountVolume.SetUp succeeded for volume "default-token-abcde" (UniqueName: "kubernetes.io/secret/u1-default-token-abcde")'
    expect(redact(line, 'text')).toEqual({text: line, hits: {}})
  })
})

test('redact() gives JSON for JSON, line by line where it is lines, and leaves what it left the first time', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), (values) => {
      const once = redact(JSON.stringify(values), 'json').text
      expect(JSON.parse(once)).toHaveLength(values.length)
      expect(redact(once, 'json').text).toBe(once)
      const lines = redact(values.map((value) => `${JSON.stringify(value)}\n`).join(''), 'json lines').text
      expect(lines.split('\n')).toHaveLength(values.length + 1)
    }),
  )
})

test('redact() goes through a torn document as text', () => {
  expect(redact('{"a": "Bearer abcdefgh12345', 'json')).toEqual({text: `{"a": "Bearer ${mark}`, hits: {'bearer token': 1}})
})
