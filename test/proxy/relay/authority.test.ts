import {expect, test} from 'vitest'
import {withLocalAuthority} from '../../../src/proxy/relay/authority.ts'

const fields = (...names: string[]) =>
  names.map((each) => {
    const [name = '', value = ''] = each.split('=')
    return {name, value}
  })

test.each([
  [
    'a path',
    [':method=POST', ':authority=/run/x.sock', ':path=/a', 'te=trailers'],
    [':method=POST', ':authority=localhost', ':path=/a', 'te=trailers'],
  ],
  ['nothing', [':method=POST', ':authority=', ':path=/a'], [':method=POST', ':authority=localhost', ':path=/a']],
  ['none', [':method=POST', ':path=/a', 'te=trailers'], [':method=POST', ':path=/a', ':authority=localhost', 'te=trailers']],
  ['none, and no regular field', [':method=POST'], [':method=POST', ':authority=localhost']],
  ['none, and a pseudo field too late', ['te=trailers', ':path=/a'], [':authority=localhost', 'te=trailers', ':path=/a']],
  ['two, as the server is to see', [':authority=a', ':authority=b'], [':authority=localhost', ':authority=localhost']],
])('withLocalAuthority() takes %s', (_, before, after) => {
  expect(withLocalAuthority(fields(...before))).toEqual(fields(...after))
})
