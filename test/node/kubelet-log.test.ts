import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {parseKubeletLog} from '../../src/node/kubelet-log.ts'

const near = Date.parse('2026-11-30T03:11:04Z')
const head = 'I1130 02:56:07.878971    2082 volume_manager.go:293] '
const base = {at: Date.parse('2026-11-30T02:56:07.878Z'), severity: 'info', source: 'volume_manager.go:293', fields: {}}
const parse = (text: string) => parseKubeletLog(text, {near})

const texts: readonly [string, object][] = [
  ['Initializing migrated drivers on CSINode', {message: 'Initializing migrated drivers on CSINode'}],
  ['"Starting Kubelet Volume Manager"', {message: 'Starting Kubelet Volume Manager'}],
  ['"Waiting" pod="default/web-0"', {message: 'Waiting', fields: {pod: 'default/web-0'}}],
  [
    '"m" pod="default/web-0" podUID=59ee3536 updateType=0',
    {message: 'm', fields: {pod: 'default/web-0', podUID: '59ee3536', updateType: '0'}},
  ],
  ['"a \\"b\\"\\n\\t\\\\ c" err="x \\"y\\" \\u00e9"', {message: 'a "b"\n\t\\ c', fields: {err: 'x "y" é'}}],
  ['"m" b="\\x00\\xff\\a\\101"', {message: 'm', fields: {b: '\0\ufffd\x07A'}}],
  [
    '"m" plugin={Path:/a b Timestamp:2026 +0000 UTC m=+0.4 Handler:<nil> Name:} k="v"',
    {message: 'm', fields: {plugin: '{Path:/a b Timestamp:2026 +0000 UTC m=+0.4 Handler:<nil> Name:}', k: 'v'}},
  ],
  ['"m" list=[a b] n=<nil> since=1m2.5s', {message: 'm', fields: {list: '[a b]', n: '<nil>', since: '1m2.5s'}}],
  ['"m" open={a b=1 c="2"', {message: 'm', fields: {open: '{a', b: '1', c: '2'}}],
  ['"m" text=two words k=v', {message: 'm', fields: {text: 'two words', k: 'v'}}],
  ['"m" empty= k=', {message: 'm', fields: {empty: '', k: ''}}],
  ['"m" quote="not closed', {message: 'm', fields: {quote: '"not closed'}}],
  ['"m" __proto__="x"', {message: 'm', fields: Object.fromEntries([['__proto__', 'x']])}],
  ['"a" is not a structured message', {message: '"a" is not a structured message'}],
  ['"not closed', {message: '"not closed'}],
  ['', {message: ''}],
  [
    'Operation for "{volumeName:kubernetes.io/csi/d^h podName: nodeName:}" failed.',
    {message: 'Operation for "{volumeName:kubernetes.io/csi/d^h podName: nodeName:}" failed.'},
  ],
]

const prefixes = [
  'Nov 30 03:10:44 node kubelet[2082]: ',
  'Nov  3 03:10:44 n-1.example.test kubelet[2082]: ',
  'Nov 30 03:10:44.123456 node k3s[7]: ',
  '2026-11-30T03:10:44+0000 node kubelet[2082]: ',
  '2026-11-30T03:10:44.123456+01:00 node kubelet: ',
  'Mon 2026-11-30 03:10:44 UTC node kubelet[2082]: ',
  '[    5.123456] node kubelet[2082]: ',
  '2026-11-30T03:10:44.123456789Z stderr F ',
]

const headers: readonly [string, string, object][] = [
  [
    'E1130 03:00:00.000001       1 a.go:1] x',
    '2026-11-30T03:11:04Z',
    {severity: 'error', source: 'a.go:1', at: Date.parse('2026-11-30T03:00:00Z')},
  ],
  ['W1231 23:59:59.999999 1 a.go:1] x', '2027-01-01T00:00:05Z', {severity: 'warning', at: Date.parse('2026-12-31T23:59:59.999Z')}],
  ['F0101 00:00:01.000000 1 a.go:1] x', '2026-12-31T23:59:59Z', {severity: 'fatal', at: Date.parse('2027-01-01T00:00:01Z')}],
  ['I0229 12:00:00.000000 1 a.go:1] x', '2026-03-02T00:00:00Z', {at: Date.parse('2028-02-29T12:00:00Z')}],
  ['I0229 12:00:00.000000 1 a.go:1] x', '2025-03-01T00:00:00Z', {at: Date.parse('2024-02-29T12:00:00Z')}],
]

const json: readonly [string, object][] = [
  [
    '{"ts":1796007367878.971,"caller":"volumemanager/volume_manager.go:293","msg":"Waiting","v":4,"pod":{"name":"web-0","namespace":"default"},"n":1}',
    {...base, message: 'Waiting', fields: {pod: 'default/web-0', n: '1'}},
  ],
  ['{"ts":1796007367.878,"caller":"volume_manager.go:293","msg":"m","v":0}', {...base, message: 'm'}],
  [
    '{"ts":1796007367878,"caller":"a.go:1","msg":"m","err":"e"}',
    {...base, severity: 'error', source: 'a.go:1', message: 'm', fields: {err: 'e'}},
  ],
  [
    '{"ts":"2026-11-30T02:56:07.878Z","msg":"m","level":"WARN","node":{"name":"n1"}}',
    {...base, severity: 'warning', source: '', message: 'm', fields: {node: 'n1'}},
  ],
  [
    '{"msg":"m","v":1,"o":{"name":"a","x":1},"z":null}',
    {severity: 'info', source: '', message: 'm', fields: {o: '{"name":"a","x":1}', z: 'null'}},
  ],
]

describe('parseKubeletLog()', () => {
  test.each(texts)('parseKubeletLog() reads the text %j', (text, expected) => {
    expect(parse(head + text)).toEqual([{...base, ...expected}])
  })

  test.each(prefixes)('parseKubeletLog() strips %j', (prefix) => {
    expect(parse(`${prefix}${head}"m" a="b"\r\n`)).toEqual([{...base, message: 'm', fields: {a: 'b'}}])
  })

  test.each(headers)('parseKubeletLog() reads the header of %j near %s', (line, when, expected) => {
    expect(parseKubeletLog(line, {near: Date.parse(when)})).toEqual([expect.objectContaining({...expected, message: 'x'})])
  })

  test('parseKubeletLog() takes the zone that is handed in', () => {
    const [line] = parseKubeletLog('I0101 00:30:00.000000 1 a.go:1] x', {near: Date.parse('2026-12-31T23:31:00Z'), zoneOffset: 3_600_000})
    expect(line?.at).toBe(Date.parse('2026-12-31T23:30:00Z'))
  })

  test('parseKubeletLog() gives no moment to a day that there is not', () => {
    expect(parse('I1340 02:56:07.878971 1 a.go:1] x')).toEqual([{severity: 'info', source: 'a.go:1', message: 'x', fields: {}}])
  })

  test.each(json)('parseKubeletLog() reads the JSON line %s', (line, expected) => {
    expect(parse(`${line}\n`)).toEqual([expected])
  })

  test('parseKubeletLog() appends indented lines and leaves out others', () => {
    const text = `garbage\n\tgarbage\n${head}one\n\ttwo\n  three\nstray\n-- Boot 1234 --\n{"no":1}\n{"torn\n${head}four\n\n`
    expect(parse(text).map(({message}) => message)).toEqual(['one\n\ttwo\n  three', 'four'])
  })

  test('parseKubeletLog() reads values of several lines, behind a journal as well', () => {
    const text = `${head}"m" err=<\n\tfirst: x\n\n\tsecond="y"\n > pod="a/b" patch=<\n\tz\n >\n${head}next`
    const expected = [
      {...base, message: 'm', fields: {err: 'first: x\n\nsecond="y"', pod: 'a/b', patch: 'z'}},
      {...base, message: 'next'},
    ]
    expect(parse(text)).toEqual(expected)
    expect(parse(text.replace(/^/gm, 'Nov 30 03:10:44 node kubelet[2082]: '))).toEqual(expected)
  })

  test('parseKubeletLog() leaves out a JSON line too deep to be written again', () => {
    const deep = '['.repeat(200_000)
    expect(parse(`{"msg":"m","x":${deep}${']'.repeat(200_000)}}\n${head}y`).map(({message}) => message)).toContain('y')
  })

  test('parseKubeletLog() never throws', () => {
    const unit = fc.oneof(
      fc.constantFrom(head, '"', '=', '{', '}', '<\n', '\n >', ' a=', '\\', '\n', '\t', '{"msg":'),
      fc.string({maxLength: 3}),
    )
    fc.assert(
      fc.property(fc.array(unit), (parts) => void parse(parts.join(''))),
      {numRuns: 500},
    )
  })

  test('parseKubeletLog() reads back every structured line', () => {
    const value = fc.string({unit: fc.constantFrom(...'ab "\\=\n\t{}[]<>é')})
    const key = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9._/-]{0,10}$/)
    fc.assert(
      fc.property(value, fc.dictionary(key, value, {noNullPrototype: true}), (message, fields) => {
        const pairs = Object.entries(fields).map(([name, text]) => ` ${name}=${JSON.stringify(text)}`)
        expect(parse(`${head}${JSON.stringify(message)}${pairs.join('')}\n`)).toEqual([{...base, message, fields}])
      }),
    )
  })

  test.each([' a=<\n', ' a={', ' a="', '\n\ta=<'])('parseKubeletLog() takes no longer per byte for a line full of %j', (piece) => {
    expect(parse(`${head}"m"${piece.repeat(200_000)}`)).toHaveLength(1)
  })
})
