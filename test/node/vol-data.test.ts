import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {readVolData} from '../../src/node/vol-data.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const latin1 = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0))

// What Go 1.26 makes of it, `json.NewDecoder(file).Decode(&data)` into a map[string]string: seen, not reasoned.
const read: readonly [string, object][] = [
  ['{} trailing', {}],
  ['{"driverName":"1"}{"driverName":"2"}', {driverName: '1'}],
  ['{"driverName":"1"}garbage', {driverName: '1'}],
  ['{"driverName":"b"}]', {driverName: 'b'}],
  ['{"driverName":"b"}\0\0\0', {driverName: 'b'}],
  ['  \t\r\n{"driverName":"b"}\n', {driverName: 'b'}],
  ['null', {}],
  ['nullx', {}],
  ['null {"driverName":"b"}', {}],
  ['{"driverName":null}', {driverName: ''}],
  ['{"driverName":"x","driverName":null}', {driverName: ''}],
  ['{"driverName":"1","driverName":"2"}', {driverName: '2'}],
  ['{"DriverName":"1","driverName":"2"}', {driverName: '2'}],
  ['{"driverName":"\\ud800"}', {driverName: '\ufffd'}],
  ['{"driverName":"\\ud83d\\ude00"}', {driverName: '😀'}],
  ['{"driverName":"\\u0000"}', {driverName: '\0'}],
  ['{"driverName":"\\/"}', {driverName: '/'}],
  ['{"driverName":"\u2028"}', {driverName: '\u2028'}],
  ['{"driver\\u004eame":"x"}', {driverName: 'x'}],
  ['{"":"b"}', {}],
  ['{"__proto__":"b"}', {}],
  ['{"seLinuxMountContext":"x","driverName":""}', {driverName: ''}],
  ['{"volumeHandle":"host#path/to/share#pvc-1##"}', {volumeHandle: 'host#path/to/share#pvc-1##'}],
  ['{"volumeHandle":"a}b{c\\"]\\\\"}', {volumeHandle: 'a}b{c"]\\'}],
]

const refused: readonly [string, string][] = [
  ['', 'it is empty'],
  ['\n', 'it holds only white space'],
  [' \t\r\n', 'it holds only white space'],
  ['{"specVolID":"pvc-', 'it breaks off'],
  ['{"specVolID":"pvc-1"', 'it breaks off'],
  ['nul', 'it breaks off'],
  ['-', 'it breaks off'],
  ['[1,2', 'it is an array, not an object of strings'],
  ['\ufeff{}', 'it starts with a byte order mark'],
  ['[]', 'it is an array, not an object of strings'],
  ['[{"a":"b"}]', 'it is an array, not an object of strings'],
  ['"x"', 'it is a string, not an object of strings'],
  ['12', 'it is a number, not an object of strings'],
  ['12abc', 'it is a number, not an object of strings'],
  ['true', 'it is a boolean, not an object of strings'],
  ['{"a":1}', "its 'a' is not a string"],
  ['{"a":1.5e3,"b":"x"}', "its 'a' is not a string"],
  ['{"a":true}', "its 'a' is not a string"],
  ['{"a":{}}', "its 'a' is not a string"],
  ['{"b":"x","a":["b"]}', "its 'a' is not a string"],
  ['{"a":[1,{"b":2}],"c":"d"}', "its 'a' is not a string"],
  ['{"a":1,"a":"2"}', "its 'a' is not a string"],
  ['\0\0\0\0', 'it is no JSON'],
  ['\u00a0{}', 'it is no JSON'],
  ['/* c */{}', 'it is no JSON'],
  ['}', 'it is no JSON'],
  ['{"a":"x\ny"}', 'it is no JSON'],
  ['{"a":"\\x41"}', 'it is no JSON'],
  ['{"a":"\\u12"}', 'it is no JSON'],
  ["{'a':'b'}", 'it is no JSON'],
  ['{a:"b"}', 'it is no JSON'],
  ['{"a":"b",}', 'it is no JSON'],
  ['{"a" "b"}', 'it is no JSON'],
  ['{"a":01}', 'it is no JSON'],
  ['{"a":NaN}', 'it is no JSON'],
  ['{"a":tru}', 'it is no JSON'],
  ['{"a":null,"b":nul}', 'it is no JSON'],
]

describe('readVolData()', () => {
  test.each(read)('readVolData() reads %j as the kubelet does', (text, expected) => {
    expect(readVolData(bytes(text))).toEqual(expected)
  })

  test.each(refused)('readVolData() says that the kubelet cannot read %j', (text, unreadable) => {
    expect(readVolData(bytes(text))).toEqual({unreadable})
  })

  test('readVolData() replaces bytes that are no UTF-8', () => {
    expect(readVolData(latin1('{"driverName":"\xff"}'))).toEqual({driverName: '\ufffd'})
  })

  test('readVolData() does not look at more than 64 KiB', () => {
    expect(readVolData(new Uint8Array(10_000_000))).toEqual({unreadable: 'it has 10000000 bytes, and no more than 65536 are looked at'})
  })

  test('readVolData() never throws', () => {
    fc.assert(fc.property(fc.uint8Array({maxLength: 200}), (any) => void readVolData(any)))
    fc.assert(fc.property(fc.json(), fc.string(), (json, rest) => void readVolData(bytes(json + rest))))
  })

  test('readVolData() reads every map of strings, whatever trails it', () => {
    fc.assert(
      fc.property(fc.string({unit: 'grapheme'}), fc.string({unit: 'grapheme'}), fc.string(), (volumeHandle, other, rest) => {
        const text = JSON.stringify({[`x${other}`]: other, volumeHandle})
        expect(readVolData(bytes(text + rest))).toEqual({volumeHandle: volumeHandle.toWellFormed()})
      }),
    )
  })

  test('readVolData() says of every cut of a file that it breaks off', () => {
    const whole = '{"attachmentID":"csi-8f","driverName":"hostpath.csi.k8s.io","specVolID":"pv\\"1","volumeLifecycleMode":"Persistent"}'
    for (let length = 1; length < whole.length; length++) {
      expect(readVolData(bytes(whole.slice(0, length)))).toEqual({unreadable: 'it breaks off'})
    }
  })
})
