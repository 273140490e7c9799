import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {UserError} from '../../src/base/errors.ts'
import {connectPath, endpointOf, parseSocketAddress} from '../../src/wire/socket-address.ts'

const parse = (text: string) => parseSocketAddress(text, '--runtime-endpoint')

describe('parseSocketAddress()', () => {
  test.for([
    ['unix:///run/x.sock', '/run/x.sock'],
    ['unix:/run/x.sock', '/run/x.sock'],
    ['UNIX:///run/x.sock', '/run/x.sock'],
    ['  unix:///run/x.sock\n', '/run/x.sock'],
    ['unix:///run/with space.sock', '/run/with space.sock'],
    ['@abstract', '@abstract'],
    ['unix:@abstract', '@abstract'],
    ['unix://@abstract', '@abstract'],
  ] as const)('reads %j without a warning', ([text, path]) => {
    expect(parse(text)).toEqual({path, endpoint: endpointOf(path)})
  })

  test('warns of a bare path', () => {
    expect(parse('/run/x.sock')).toEqual({
      path: '/run/x.sock',
      endpoint: 'unix:///run/x.sock',
      warning: '--runtime-endpoint is a bare path, which the kubelet and crictl call deprecated: write unix:///run/x.sock',
    })
  })

  test.for([
    '',
    'run/x.sock',
    'unix://',
    'unix:x.sock',
    'unix://run/x.sock',
    'unix:///',
    'unix:///run/',
    '@',
    'tcp://127.0.0.1:10010',
    'http://x',
    'unix:///a\0b',
  ])('refuses %j', (text) => {
    expect(() => parse(text)).toThrow(/^Cannot use --runtime-endpoint as it must be the address of a unix socket: it is '/)
  })

  test.for(['npipe:////./pipe/containerd-containerd', 'C:\\run\\x.sock', '\\var\\lib\\kubelet', '\\\\.\\pipe\\x'])(
    'says of %j that Windows is not supported',
    (text) => {
      expect(() => parse(text)).toThrow(/Windows is not supported$/)
    },
  )

  test('counts bytes, not characters', () => {
    expect(parse(`/${'a'.repeat(106)}`).path).toHaveLength(107)
    expect(() => parse(`/${'ä'.repeat(54)}`)).toThrow('as the path of a socket must have at most 107 bytes: it has 109')
    expect(parse(`@${'a'.repeat(107)}`).path).toHaveLength(108)
    expect(() => parse(`@${'a'.repeat(108)}`)).toThrow('it has 108')
  })

  test('reads back every endpoint it wrote', () => {
    const segment = fc
      .string({minLength: 1, maxLength: 8, unit: 'grapheme'})
      .filter((text) => !/[/\0\s]/.test(text) && Buffer.byteLength(text) < 30)
    const path = fc.oneof(
      fc.array(segment, {minLength: 1, maxLength: 3}).map((parts) => `/${parts.join('/')}`),
      segment.map((name) => `@${name}`),
    )
    fc.assert(
      fc.property(path, (path) => {
        expect(parse(endpointOf(path)).path).toBe(path)
      }),
    )
  })

  test('returns an address or throws a UserError, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string({unit: 'binary'}).map((text) => `unix://${text}`),
        ),
        (text) => {
          try {
            expect(Buffer.byteLength(connectPath(parse(text).path))).toBeLessThanOrEqual(108)
          } catch (error) {
            expect(error).toBeInstanceOf(UserError)
          }
        },
      ),
    )
  })
})

test('connectPath() puts a NUL before an abstract name', () => {
  expect(connectPath('@kl')).toBe('\0kl')
  expect(connectPath('/run/x.sock')).toBe('/run/x.sock')
})
