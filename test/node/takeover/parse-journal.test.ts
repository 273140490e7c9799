import fc from 'fast-check'
import {expect, test} from 'vitest'
import {parseJournal} from '../../../src/node/takeover/parse-journal.ts'
import {journalOf} from '../../support/journal.ts'

const bytes = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))
const good = journalOf('/run/a.sock', {
  command: 'record',
  watchdog: {pid: 8, startTicks: '60'},
  ours: [{device: '66', inode: '13', born: '0'}],
})

test('parseJournal() reads what is written', () => {
  expect(parseJournal(bytes(good))).toEqual({journal: good})
})

test.each<[string, object, string]>([
  ['a name that leads out', {side: '../x'}, 'side'],
  ['a name of the parent', {side: '..'}, 'side'],
  ['a path', {held: '.a/b'}, 'held'],
  ['a name without a dot', {held: 'a'}, 'held'],
  ['a name of the directory itself', {held: '.'}, 'held'],
  ['two names that are the same', {held: good.side}, 'held'],
  ['a name that is the socket', {socket: `/run/${good.side}`}, 'side'],
  ['a second name that is the socket', {socket: `/run/${good.held}`}, 'held'],
  ['a socket that is relative', {socket: 'run/a.sock'}, 'socket'],
  ['a socket that goes up', {socket: '/run/x/../a.sock'}, 'socket'],
  ['a socket that ends in a slash', {socket: '/run/'}, 'socket'],
  ['the root', {socket: '/'}, 'socket'],
  ['a nought in the path', {socket: '/run/a\0.sock'}, 'socket'],
  ['an id that is a path', {id: '../0000a'}, 'id'],
  ['a process that is a group', {proxy: {pid: -1, startTicks: '1'}}, 'proxy.pid'],
  ['a moment that is none', {expiresAt: 'tomorrow'}, 'expiresAt'],
  ['an inode that is a number', {original: {device: '1', inode: 1, born: '0'}}, 'original.inode'],
  ['another kind', {kind: 'Pod'}, 'kind'],
  ['another command', {command: 'check'}, 'command'],
])('parseJournal() refuses %s', (_, parts, field) => {
  expect(parseJournal(bytes({...good, ...parts}))).toEqual({unreadable: `its '${field}' cannot be used`})
})

test('parseJournal() says of whatever else it is why it cannot be used', () => {
  expect(parseJournal(bytes(''))).toEqual({unreadable: 'it is empty'})
  expect(parseJournal(bytes('{"socket":'))).toEqual({unreadable: 'it is no JSON'})
  expect(parseJournal(bytes('7'))).toEqual({unreadable: 'it is no object'})
})

test('parseJournal() never lets a name through that is more than a hidden name of the directory', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((text) => `.${text}`),
        fc.constantFrom('..', '...', './a', '.\n'),
      ),
      (name) => {
        const found = parseJournal(bytes({...good, side: name}))
        if ('journal' in found) expect(name).toMatch(/^\.(?!\.)[\w.-]+$/)
      },
    ),
  )
})
