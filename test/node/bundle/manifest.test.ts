import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {UserError} from '../../../src/base/errors.ts'
import {parseManifest} from '../../../src/node/bundle/manifest.ts'
import {manifest} from '../../support/bundle.ts'

const parse = (document: unknown) => parseManifest(JSON.stringify(document), 'x/bundle.json')
const withReading = (reading: unknown) => ({...manifest, readings: {'kubelet.pods': reading}})

const wrong: readonly [string, unknown, string][] = [
  ['null', null, 'it must be an object: it is null'],
  ['an array', [], 'it must be an object: it is an array'],
  ['a version of later', {...manifest, apiVersion: 'kubelimbo/v2'}, '\'apiVersion\' must be "kubelimbo/v1": it is "kubelimbo/v2"'],
  ['no version', {...manifest, apiVersion: undefined}, "'apiVersion' must be given: it is not there"],
  ['another kind', {...manifest, kind: 'Pod'}, '\'kind\' must be "NodeBundle": it is "Pod"'],
  ['no metadata', {...manifest, metadata: undefined}, "'metadata' must be given: it is not there"],
  ['a node that is no text', {...manifest, metadata: {...manifest.metadata, node: 5}}, "'metadata.node' must be a text: it is 5"],
  [
    'no moment',
    {...manifest, metadata: {...manifest.metadata, when: 'today'}},
    '\'metadata.when\' must be a moment such as 2026-11-30T03:11:04Z: it is "today"',
  ],
  [
    "Windows' root",
    {...manifest, kubelet: {root: 'C:\\var\\lib\\kubelet'}},
    '\'kubelet.root\' must be an absolute path on Linux: it is "C:\\\\var\\\\lib\\\\kubelet"',
  ],
  [
    'a state of later',
    withReading({state: 'maybe'}),
    '\'readings.kubelet.pods.state\' must be "read" or "absent" or "failed": it is "maybe"',
  ],
  ['a reading without a file', withReading({state: 'read'}), "'readings.kubelet.pods.file' must be given: it is not there"],
  ['a failure without a reason', withReading({state: 'failed'}), "'readings.kubelet.pods.why' must be given: it is not there"],
  ...['../x', '/etc/passwd', 'a/../../b', './a', 'a//b', 'a\\b', 'a\0b', '', '.', 'a/'].map((file): [string, unknown, string] => [
    `the file ${JSON.stringify(file)}`,
    withReading({state: 'read', file}),
    `'readings.kubelet.pods.file' must be a plain relative path inside the bundle: it is ${JSON.stringify(file)}`,
  ]),
  [
    'a source with a space',
    {...manifest, readings: {'a b': {state: 'absent', why: 'x'}}},
    '\'readings.a b\' must be a source such as kubelet.pods: it is "a b"',
  ],
]

describe('parseManifest()', () => {
  test('parseManifest() keeps what is right, sources of later and fields of later', () => {
    expect(parse({...manifest, later: 1, readings: {...manifest.readings, 'later.source': {state: 'read', file: 'x', more: 1}}})).toEqual({
      ...manifest,
      readings: {...manifest.readings, 'later.source': {state: 'read', file: 'x'}},
    })
  })

  test.each([
    ['/var/lib/kubelet/', '/var/lib/kubelet'],
    ['/data/k8s//', '/data/k8s'],
    ['/', '/'],
  ])('parseManifest() takes the root %j for %j', (root, expected) => {
    expect(parse({...manifest, kubelet: {root}}).kubelet.root).toBe(expected)
  })

  test.each(wrong)('parseManifest() refuses %s', (_, document, why) => {
    expect(() => parse(document)).toThrow(new UserError(`Cannot read x/bundle.json as ${why}`))
  })

  test('parseManifest() refuses what is no JSON', () => {
    expect(() => parseManifest('{', 'x/bundle.json')).toThrow(/^Cannot read x\/bundle.json as it must be JSON: /)
  })

  test('parseManifest() throws nothing but a UserError', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom('kubelet', 'metadata', 'readings', 'kind'), (json, key) => {
        try {
          parse({...manifest, [key]: JSON.parse(json)})
        } catch (error) {
          expect(error).toBeInstanceOf(UserError)
        }
      }),
    )
  })
})
