import {describe, expect, test} from 'vitest'
import type {Driver} from '../../src/node/csi/join-drivers.ts'
import {renderDrivers} from '../../src/render/drivers.ts'

const metadata = {node: 'n1', when: '2026-11-30T03:11:04Z', tool: 'kubelimbo test'}

const items: readonly Driver[] = [
  {
    name: 'a',
    version: '1.2.3',
    socket: '/csi/a.sock',
    answer: {state: 'answers'},
    registered: {state: 'yes'},
    capabilities: ['STAGE_UNSTAGE_VOLUME', '99'],
    volumes: 2,
  },
  {name: 'b', ownName: 'c', socket: '/b', answer: {state: 'answers'}, ready: false, registered: {state: 'yes'}, capabilities: []},
  {name: 'gone', registered: {state: 'no', why: 'no registration names it'}, volumes: 1},
  {socket: '/s', answer: {state: 'silent', why: 'it says nothing'}, registered: {state: 'unknown', why: 'not in the bundle'}},
  {socket: '/f', answer: {state: 'failed', why: 'no\nanswer'}, registered: {state: 'fails', why: 'nobody listens'}},
]

describe('renderDrivers()', () => {
  test('prints a table', async () => {
    const lines = (await renderDrivers({items, metadata}, 'table')).trimEnd().split('\n')
    expect(lines.map((line) => line.split(/ {3,}/))).toEqual([
      ['NAME', 'VERSION', 'STATE', 'REGISTERED', 'VOLUMES', 'CAPABILITIES', 'SOCKET'],
      ['a', '1.2.3', 'answers', 'yes', '2', 'STAGE_UNSTAGE_VOLUME,99', '/csi/a.sock'],
      ['b (calls itself c)', '-', 'not ready', 'yes', '-', '-', '/b'],
      ['gone', '-', '-', 'no: no registration names it', '1', '-', '-'],
      ['-', '-', 'silent', 'unknown: not in the bundle', '-', '-', '/s'],
      ['-', '-', 'failed: no\\nanswer', 'fails: nobody listens', '-', '-', '/f'],
    ])
  })

  test('prints JSON of its own shape, and YAML that says the same', async () => {
    const json = JSON.parse(await renderDrivers({items, metadata}, 'json'))
    expect(json).toEqual({apiVersion: 'kubelimbo/v1', kind: 'Drivers', metadata, items})
    const {parse} = await import('yaml')
    expect(parse(await renderDrivers({items, metadata}, 'yaml'))).toEqual(json)
  })
})
