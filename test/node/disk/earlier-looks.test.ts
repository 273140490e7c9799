import {expect, test} from 'vitest'
import {earlierLooks, titleOf} from '../../../src/node/disk/earlier-looks.ts'

/** Field 22 is the start, in hundredths of a second after the boot. */
const stat = (state: string, ticks: number) => `7 (kl-stat (0:5)) ${state} 1 ${'0 '.repeat(17)}${ticks} 0`

function looksOf(processes: readonly (readonly [name: string, stat?: string])[]) {
  return earlierLooks({
    processes: () => processes.map(([name], pid) => ({pid, name})),
    readText: async (path) => {
      const text = path === '/proc/uptime' ? '100.50 3.0\n' : processes[Number(path.split('/')[2])]?.[1]
      if (text === undefined) throw new Error('ESRCH')
      return text
    },
  })
}

test('earlierLooks tells how long the oldest look at each file system hangs', async () => {
  const looks = await looksOf([
    ['kl-stat 0:52', stat('D', 9000)],
    ['kl-stat 0:52', stat('D', 5000)],
    ['kl-stat 8:1', stat('D', 10_050)],
  ])
  expect([...looks]).toEqual([
    ['0:52', 50_500],
    ['8:1', 0],
  ])
})

test.each([
  ['one that works', 'kl-stat 0:52', stat('R', 1)],
  ['one that sleeps', 'kl-stat 0:52', stat('S', 1)],
  ['one that ended meanwhile', 'kl-stat 0:52', undefined],
  ['another program', 'dd', stat('D', 1)],
  ['a name that may be cut off', titleOf('259:123456789'), stat('D', 1)],
])('earlierLooks leaves out %s', async (_what, name, text) => {
  expect([...(await looksOf([text === undefined ? [name] : [name, text]]))]).toEqual([])
})
