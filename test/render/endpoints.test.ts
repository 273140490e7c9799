import {expect, test} from 'vitest'
import type {TakeoverJournal} from '../../src/node/takeover/takeover.ts'
import {renderEndpoints} from '../../src/render/endpoints.ts'

const metadata = {node: 'n1', when: '2026-11-30T03:05:00Z', tool: 'kubelimbo 0.0.0'}
const view = (...takeovers: TakeoverJournal[]) => ({candidates: [], chosen: undefined, metadata, takeovers})
const path = '/run/kubelimbo/takeover/0a1b2c3d.json'
const taken = {path, socket: '/run/a.sock', expiresAt: Date.parse('2026-11-30T03:11:04Z'), pid: 4711, command: 'inject'} as const
const holder = {proxy: 'there', watchdog: 'there', otherBoot: false} as const

test.each<[string, TakeoverJournal, string]>([
  ['in force', {...taken, holder}, 'unix:///run/a.sock kubelimbo inject (pid 4711) taken over until 2026-11-30T03:11:04Z'],
  [
    'of a recording',
    {...taken, command: 'record', holder},
    'unix:///run/a.sock kubelimbo record (pid 4711) taken over until 2026-11-30T03:11:04Z',
  ],
  [
    'whose journal is older',
    {path, socket: '/run/a.sock', expiresAt: taken.expiresAt, pid: 4711, holder},
    'unix:///run/a.sock kubelimbo (pid 4711) taken over until 2026-11-30T03:11:04Z',
  ],
  [
    'of which nobody can say more',
    taken,
    'unix:///run/a.sock kubelimbo inject (pid 4711) taken over until 2026-11-30T03:11:04Z; whether its process lives cannot be seen',
  ],
  [
    'without its watchdog',
    {...taken, holder: {...holder, watchdog: 'gone'}},
    'unix:///run/a.sock kubelimbo inject (pid 4711) taken over until 2026-11-30T03:11:04Z; its watchdog is gone',
  ],
  [
    'left behind',
    {...taken, holder: {...holder, proxy: 'gone'}},
    'unix:///run/a.sock kubelimbo inject (pid 4711) left behind its process is gone: kubelimbo restore gives it back',
  ],
  [
    'that never was',
    {...taken, holder: {...holder, proxy: 'gone'}, atPath: 'original'},
    "unix:///run/a.sock kubelimbo inject (pid 4711) own its server's; a journal of a takeover is left: kubelimbo restore removes it",
  ],
  [
    'whose server has restarted since',
    {...taken, holder: {...holder, proxy: 'gone'}, atPath: 'other'},
    'unix:///run/a.sock kubelimbo inject (pid 4711) own its server has restarted; a journal of a takeover is left: kubelimbo restore removes it',
  ],
  [
    'that begins',
    {...taken, holder, atPath: 'original'},
    'unix:///run/a.sock kubelimbo inject (pid 4711) own it is about to be taken over until 2026-11-30T03:11:04Z, or is given back at this moment',
  ],
  [
    'of another boot',
    {...taken, holder: {proxy: 'gone', otherBoot: true}},
    'unix:///run/a.sock kubelimbo inject (pid 4711) left behind of an earlier boot of the node: kubelimbo restore cleans up',
  ],
  [
    'that should have ended',
    {...taken, expiresAt: Date.parse('2026-11-30T03:03:00Z'), holder},
    'unix:///run/a.sock kubelimbo inject (pid 4711) left behind it should have ended at 2026-11-30T03:03:00Z: kubelimbo restore gives it back',
  ],
  ['that cannot be read', {path, unreadable: 'it is empty'}, `${path} kubelimbo unreadable the journal of a takeover: it is empty`],
])('renderEndpoints() has a line for a takeover %s', async (_, journal, line) => {
  const lines = (await renderEndpoints(view(journal), 'table')).trimEnd().split('\n')
  expect(lines.slice(1).map((each) => each.replace(/ {2,}/g, ' '))).toEqual([line])
})

test('renderEndpoints() has takeovers in its data, where there are any', async () => {
  expect(JSON.parse(await renderEndpoints(view(), 'json'))).not.toHaveProperty('takeovers')
  expect(JSON.parse(await renderEndpoints(view({...taken, holder}), 'json'))).toMatchObject({
    takeovers: [{endpoint: 'unix:///run/a.sock', journal: path, pid: 4711, expiresAt: '2026-11-30T03:11:04Z', state: 'taken over'}],
  })
})
