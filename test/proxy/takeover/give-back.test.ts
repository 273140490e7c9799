import {expect, test} from 'vitest'
import {giveBack} from '../../../src/proxy/takeover/give-back.ts'
import {MemoryFolder} from '../../support/memory-folder.ts'
import {journalOf, takenBy, undisturbed} from '../../support/memory-takeover.ts'

async function taken() {
  const folder = new MemoryFolder(true)
  folder.journal = journalOf(folder)
  const place = await undisturbed(folder, takenBy(folder, 'proxy'))
  const back = () => undisturbed(folder, giveBack(folder.journal, folder.as('restore')))
  const {path} = folder
  return {folder, path, place, back, side: folder.journal.side, original: folder.server, names: () => [...folder.names.keys()]}
}
type Taken = Awaited<ReturnType<typeof taken>>

/** Unlink, bind, listen. */
const restart = ({folder}: Taken) => {
  for (let move = 0; move < 4; move++) folder.moveServer(0)
}

test.each<[what: string, change: (world: Taken) => void, outcome: object, at: 'original' | 'server' | 'other' | 'proxy' | 'nothing']>([
  ['what is ours', () => undefined, {outcome: 'given back'}, 'original'],
  ['what is ours, of a server that was killed', ({folder}) => folder.moveServer(0), {outcome: 'server gone'}, 'proxy'],
  ['a restarted server', restart, {outcome: 'left alone', alive: true}, 'server'],
  [
    'a server that has unlinked and ended',
    ({folder}) => [1, 0].forEach((roll) => void folder.moveServer(roll)),
    {outcome: 'server gone'},
    'nothing',
  ],
  ['a path that somebody else emptied', ({folder, path}) => void folder.names.delete(path), {outcome: 'given back'}, 'original'],
  ['a second server over one that lives', ({folder}) => void folder.usurp(), {outcome: 'left alone', alive: true}, 'other'],
  [
    'a second server that is dead already, over one that lives',
    ({folder}) => {
      folder.usurp().listening = false
    },
    {outcome: 'given back'},
    'original',
  ],
  [
    'a restarted server that was killed',
    (world) => {
      restart(world)
      world.folder.moveServer(0)
    },
    {outcome: 'left alone', alive: false},
    'server',
  ],
  [
    'a server that somebody else has put back',
    ({folder, path, original}) => void folder.names.set(path, original),
    {outcome: 'was back'},
    'original',
  ],
])('giveBack() finds %s', async (_, change, outcome, at) => {
  const world = await taken()
  change(world)
  expect(await world.back()).toEqual(outcome)
  const {folder, path, original} = world
  const there = folder.names.get(path)
  if (at === 'nothing') expect(world.names()).toEqual([])
  else {
    expect(world.names()).toEqual([path])
    if (at === 'other' || at === 'proxy') expect(there?.owner).toBe(at)
    else expect(there).toBe(at === 'original' ? original : folder.server)
  }
  folder.kill('proxy', false)
  expect(await world.back()).toEqual(again[(outcome as {outcome: string}).outcome] ?? outcome)
})

/** The second time there is nothing left to do. */
const again: Readonly<Record<string, object>> = {'given back': {outcome: 'was back'}}

test('giveBack() says when the original has no name any more, as long as our proxy listens at the path', async () => {
  const {folder, path, side, back, names} = await taken()
  folder.names.delete(side)
  await expect(back()).rejects.toMatchObject({
    message: `Cannot give /memory/csi.sock back as its own socket must still have a name beside it: somebody has removed ${side}`,
    hint: 'restart the server: it makes a new one',
    exit: 4,
  })
  expect(names()).toEqual([path])
  folder.kill('proxy', false)
  expect(await back()).toEqual({outcome: 'server gone'})
  expect(names()).toEqual([path])
})

test('giveBack() takes a device whose number has changed, where births are known', async () => {
  const {folder, back, original, path} = await taken()
  const {journal} = folder
  folder.journal = {...journal, original: {...journal.original, device: '99'}, ours: journal.ours.map((each) => ({...each, device: '99'}))}
  expect(await back()).toEqual({outcome: 'given back'})
  expect(folder.names.get(path)).toBe(original)
})
