import {homedir} from 'node:os'
import {expect, test} from 'vitest'
import {recordRequest, usualFile} from '../../src/cli/record-flags.ts'

const now = Date.UTC(2026, 10, 30, 3, 11, 4, 567)

test.each([
  ['/state', '/state/kubelimbo/recordings/node-7-2026-11-30T03-11-04Z.jsonl'],
  // Relative: it does not count.
  ['state', `${homedir()}/.local/state/kubelimbo/recordings/node-7-2026-11-30T03-11-04Z.jsonl`],
  ['', `${homedir()}/.local/state/kubelimbo/recordings/node-7-2026-11-30T03-11-04Z.jsonl`],
])('usualFile with XDG_STATE_HOME=%s', (state, expected) => {
  expect(usualFile({XDG_STATE_HOME: state}, 'node-7', now)).toBe(expected)
})

test('usualFile: a node whose name is a path has a file all the same', () => {
  expect(usualFile({XDG_STATE_HOME: '/s'}, '../x', now)).toBe('/s/kubelimbo/recordings/.._x-2026-11-30T03-11-04Z.jsonl')
})

const request = (flags: Partial<Parameters<typeof recordRequest>[1]>) => {
  const {signal} = new AbortController()
  return recordRequest('f.jsonl', {for: '10m', ...flags}, 'kubelimbo 0', {signal, hurry: signal})
}

test('recordRequest: pairs of --listen and --upstream, or sockets to take over', () => {
  expect(request({listen: ['/a', '@b'], upstream: ['/c', 'tcp:127.0.0.1:7'], for: '1h'})).toMatchObject({
    file: `${process.cwd()}/f.jsonl`,
    forMs: 3_600_000,
    places: [
      {listen: '/a', upstream: '/c'},
      {listen: '@b', upstream: 'tcp:127.0.0.1:7'},
    ],
  })
  expect(request({socket: ['/a', '/b'], journals: '/j', force: true}).places).toMatchObject([
    {take: {socket: '/a', journals: '/j', force: true}},
    {take: {socket: '/b', journals: '/j', force: true}},
  ])
})

test.each([
  [{}, 'Cannot record as --socket or --listen must be given: it is not'],
  [{upstream: ['/a']}, 'Cannot record as --listen must be given: it is not'],
  [{listen: ['/a', '/b'], upstream: ['/c']}, 'Cannot record as --upstream must be given: it is not'],
  [{listen: ['/a', '/a'], upstream: ['/c', '/d']}, "Cannot record as each socket must be named once: '/a' is named twice"],
  [{socket: ['/a', '/a']}, "Cannot record as each socket must be named once: '/a' is named twice"],
  [{socket: ['/a'], for: '25h'}, "Cannot use --for as it must be more than nothing and at most 24h: it is '25h'"],
])('recordRequest: %o is refused', (flags, message) => {
  expect(() => request(flags)).toThrow(message)
})
