import {describe, expect, test} from 'vitest'
import {listRequest, listStyle, runtimeRequest} from '../../src/cli/flags.ts'

describe('runtimeRequest()', () => {
  test.for([
    ['0', undefined],
    ['500ms', 1000],
    ['20s', 20_000],
    ['3', 3000],
  ] as const)('makes of --timeout %s: %d ms', ([timeout, connectTimeoutMs]) => {
    expect(runtimeRequest({timeout}).connectTimeoutMs).toBe(connectTimeoutMs)
  })

  test('leaves out what nobody gave', () => {
    expect(runtimeRequest({'runtime-endpoint': undefined, config: undefined, timeout: undefined})).toEqual({})
  })
})

test('listRequest() takes flags for what they are', () => {
  expect(listRequest({id: 'a', label: ['x=y'], latest: true, last: 3, 'runtime-endpoint': '/x'})).toEqual({
    id: 'a',
    labels: ['x=y'],
    latest: true,
    last: 3,
    runtimeEndpoint: '/x',
  })
})

test('listStyle() takes --json for -o json', () => {
  const flags = {output: 'table', json: true, quiet: false, verbose: false, 'no-trunc': true} as const
  expect(listStyle(flags)).toEqual({output: 'json', quiet: false, verbose: false, noTrunc: true})
})
