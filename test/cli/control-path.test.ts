import {join} from 'node:path'
import {expect, test} from 'vitest'
import {parseControlPath} from '../../src/cli/control-path.ts'

test.each([
  ['/run/c.sock', '/run/c.sock'],
  ['unix:///run/c.sock', '/run/c.sock'],
  ['unix:/run/c.sock', '/run/c.sock'],
  ['/run/../c.sock', '/c.sock'],
  ['c/x.sock', join(process.cwd(), 'c/x.sock')],
  [' ./x.sock ', join(process.cwd(), 'x.sock')],
])('parseControlPath() takes %j', (text, path) => {
  expect(parseControlPath(text)).toBe(path)
})

test.each([
  ['', 'it must name a socket: it is empty'],
  [' ', 'it must name a socket: it is empty'],
  ['@name', "it must be a path, which has an owner: it is '@name', a name that everybody reaches"],
  ['unix:@name', "it must be a path, which has an owner: it is 'unix:@name', a name that everybody reaches"],
  ['unix:x.sock', "it must be the address of a unix socket: it is 'unix:x.sock'"],
  ['unix://x.sock', "it must be the address of a unix socket: it is 'unix://x.sock'"],
  ['tcp:127.0.0.1:7', 'it must be the address of a unix socket'],
  ['/run/', 'it must be the address of a unix socket'],
  ['/', 'it must be the address of a unix socket'],
  [`/${'x'.repeat(107)}`, 'the path of a socket must have at most 107 bytes: it has 108'],
  ['x'.repeat(107), 'the path of a socket must have at most 107 bytes'],
])('parseControlPath() refuses %j', (text, why) => {
  expect(() => parseControlPath(text)).toThrow(`Cannot use --control as ${why}`)
})
