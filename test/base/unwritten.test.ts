import {expect, test} from 'vitest'
import {UserError} from '../../src/base/errors.ts'
import {unwritten} from '../../src/base/unwritten.ts'

const system = (code: string) => Object.assign(new Error(`${code}: said by the system, write`), {code})

test.each([
  ['ENOSPC', 3, 'there is no room left on the disk', 'make room, or name a place on another disk'],
  ['EROFS', 2, 'the file system is read-only', 'name a place where files can be made'],
  ['EACCES', 2, 'permission denied', 'name a place where you may make files'],
  ['ENOENT', 2, 'its folder is not there', 'make its folder, or name another place'],
  ['EEXIST', 2, 'it is there already', 'name another one'],
  ['EWHAT', 2, 'EWHAT: said by the system, write', 'name another place'],
])('unwritten() of %s has exit code %i and a next step', (code, exit, why, hint) => {
  expect(unwritten('write x', system(code))).toMatchObject({message: `Cannot write x: ${why}`, exit, hint})
})

test('unwritten() leaves what is no refusal of the system as it is', () => {
  for (const error of [new UserError('Cannot'), new TypeError('our bug'), system('ERR_INVALID_ARG_TYPE')])
    expect(unwritten('write x', error)).toBe(error)
})
