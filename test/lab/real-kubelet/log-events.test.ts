import {appendFile, mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {systemClock} from '../../../src/base/clock.ts'
import {followLog} from '../../../src/lab/real-kubelet/log-events.ts'
import type {LogEvent} from '../../../src/timeline/event.ts'
import {until} from '../../support/until.ts'

type Said = Omit<LogEvent, 'kind' | 'at'>

// Each as a kubelet of that version wrote it.
const lines: readonly (readonly [line: string, said: Said])[] = [
  [
    'E1201 03:31:38.420981   27001 status_manager.go:508] Status update on pod default/never-0 aborted: terminated container bad attempted illegal transition to non-terminated state',
    {
      text: 'Status update on pod aborted: terminated container bad attempted illegal transition to non-terminated state',
      pod: 'default/never-0',
      fields: {},
    },
  ],
  [
    'I1201 03:29:31.566029   27736 volume_manager.go:533] "All volumes are unmounted for pod" pod="default/web-0"',
    {text: 'All volumes are unmounted for pod', pod: 'default/web-0', fields: {}},
  ],
  [
    'I1201 03:29:32.403738   27736 kubelet_volumes.go:248] "Orphaned pod found, removing" podUID="a9f1943e-10cc-42ee-9b9d-1515a406cfae"',
    {text: 'Orphaned pod found, removing', fields: {podUID: 'a9f1943e-10cc-42ee-9b9d-1515a406cfae'}},
  ],
  [
    'I1201 03:29:21.000000   27001 kubelet.go:1933] SyncLoop (DELETE, "api"): "web-0_default(a9f1943e-10cc-42ee-9b9d-1515a406cfae)"',
    {text: 'SyncLoop (DELETE, "api"):', pod: 'default/web-0', fields: {}},
  ],
]

test('followLog() tells of each line once it is whole, by the words of the model', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kl-'))
  const path = join(folder, 'kubelet.log')
  const said: Said[] = []
  const over = new AbortController()
  const [[first = ''] = [], ...others] = lines
  await writeFile(path, `${first.slice(0, 70)}`)
  const followed = followLog({path, clock: systemClock, onEvent: (event) => said.push(event), signal: over.signal})
  await systemClock.sleep(150)
  expect(said).toEqual([])
  await appendFile(path, `${first.slice(70)}\n`)
  await until(async () => expect(said).toHaveLength(1))
  await appendFile(path, `${others.map(([line]) => line).join('\n')}\n`)
  over.abort()
  await followed
  expect(said).toEqual(lines.map(([, event]) => event))
  await rm(folder, {recursive: true})
})
