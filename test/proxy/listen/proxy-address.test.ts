import {expect, test} from 'vitest'
import {addressText, hasFile, parseProxyAddress} from '../../../src/proxy/listen/proxy-address.ts'

test.each([
  ['unix:///run/x.sock', {kind: 'unix', path: '/run/x.sock'}, 'unix:///run/x.sock', true],
  [' /run/x.sock', {kind: 'unix', path: '/run/x.sock'}, 'unix:///run/x.sock', true],
  ['@name', {kind: 'unix', path: '@name'}, 'unix:@name', false],
  ['unix:@name', {kind: 'unix', path: '@name'}, 'unix:@name', false],
  ['tcp:127.0.0.1:7000', {kind: 'tcp', host: '127.0.0.1', port: 7000}, 'tcp:127.0.0.1:7000', false],
  ['tcp://127.0.0.1:0', {kind: 'tcp', host: '127.0.0.1', port: 0}, 'tcp:127.0.0.1:0', false],
  ['tcp:[::1]:7000', {kind: 'tcp', host: '::1', port: 7000}, 'tcp:[::1]:7000', false],
])('parseProxyAddress() reads %s', (text, address, again, file) => {
  const parsed = parseProxyAddress(text, '--listen')
  expect(parsed).toEqual(address)
  expect(addressText(parsed)).toBe(again)
  expect(parseProxyAddress(again, '--listen')).toEqual(address)
  expect(hasFile(parsed)).toBe(file)
})

test.each([
  ['tcp:0.0.0.0:7000', 'it must be a port of the loopback address: it is'],
  ['tcp:localhost:7000', 'it must be a port of the loopback address: it is'],
  ['tcp:127.0.0.1', 'it must be a port of the loopback address: it is'],
  ['tcp:127.0.0.1:65536', 'it must be a port of the loopback address: it is'],
  ['http://127.0.0.1:80', 'it must be the address of a unix socket: it is'],
  ['x.sock', 'it must be the address of a unix socket: it is'],
  [`/${'x'.repeat(107)}`, 'the path of a socket must have at most 107 bytes: it has 108'],
])('parseProxyAddress() refuses %s', (text, why) => {
  expect(() => parseProxyAddress(text, '--listen')).toThrow(`Cannot use --listen as ${why}`)
})
