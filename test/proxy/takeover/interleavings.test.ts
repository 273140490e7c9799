import fc from 'fast-check'
import {expect, test} from 'vitest'
import {UserError} from '../../../src/base/errors.ts'
import {giveBack} from '../../../src/proxy/takeover/give-back.ts'
import {killed, MemoryFolder, settled} from '../../support/memory-folder.ts'
import {journalOf, takenBy} from '../../support/memory-takeover.ts'

interface Plan {
  /** One for each step: who has it. */
  readonly rolls: readonly number[]
  readonly serverMoves: number
  /** After how many steps of its own somebody is killed. */
  readonly kills: readonly {readonly after: number; readonly late: boolean}[]
  readonly acts: readonly ('open' | 'refuse' | 'no-socket')[]
}

const plans = fc.record({
  rolls: fc.array(fc.nat(1000), {minLength: 150, maxLength: 300}),
  serverMoves: fc.integer({min: 0, max: 12}),
  kills: fc.array(fc.record({after: fc.integer({min: 1, max: 45}), late: fc.boolean()}), {maxLength: 3}),
  acts: fc.array(fc.constantFrom('open' as const, 'refuse' as const, 'no-socket' as const), {maxLength: 4}),
})

const dots = (folder: MemoryFolder) => [...folder.names.keys()].filter((name) => name.startsWith('.'))

async function play(plan: Plan, atomic: boolean) {
  const folder = new MemoryFolder(atomic)
  const original = folder.server
  folder.journal = journalOf(folder)
  let moves = plan.serverMoves
  let rolled = 0
  const roll = () => plan.rolls[rolled++ % plan.rolls.length] ?? 0
  const lost: string[] = []
  const errors: unknown[] = []

  /** A kill of the first of them, who is then done. */
  const run = async (actors: ReadonlyMap<string, Promise<unknown>>, kill?: Plan['kills'][number]) => {
    const open = new Set(actors.keys())
    for (const [actor, work] of actors)
      work.then(
        () => open.delete(actor),
        (error: unknown) => {
          open.delete(actor)
          if (error !== killed) errors.push(error)
        },
      )
    const [first = ''] = actors.keys()
    let own = 0
    for (let step = 0; ; step++) {
      if (step > 5000) throw new Error(`it does not end: ${folder.trail.slice(-60).join('\n')}`)
      await settled()
      if (open.size === 0) return
      if (kill !== undefined && own >= kill.after && open.has(first)) {
        folder.kill(first, kill.late)
        continue
      }
      const {waiting} = folder
      const choice = roll() % (waiting.length + (moves > 0 ? 1 : 0) + (folder.late > 0 ? 1 : 0))
      if (choice < waiting.length) {
        if (waiting[choice] === first) own++
        folder.grant(choice)
      } else if (choice === waiting.length && moves > 0) {
        moves--
        folder.moveServer(roll())
      } else folder.doLate()
      const {server, serverState} = folder
      const itsOwn = serverState === 'running' || serverState === 'bound'
      if (itsOwn && lost.length === 0 && ![...folder.names.values()].includes(server)) lost.push(folder.trail.join('\n'))
    }
  }
  const taker = async () => {
    const place = await takenBy(folder, 'proxy').catch((error: unknown) => {
      if (error instanceof UserError && dots(folder).length > 0) errors.push(new Error(`left behind: ${dots(folder)}`))
      throw error
    })
    for (const act of plan.acts) await (act === 'open' ? place.open() : place.close(act))
    await place.giveBack()
    await place.close('no-socket')
  }
  await run(new Map([['proxy', taker()]]), plan.kills[0])
  // What a proxy that ended with an error of its own has said is not of interest any more: it ends, and its sockets with it.
  folder.kill('proxy', false)
  const back = (actor: string) => giveBack(folder.journal, folder.as(actor), async () => folder.journal)
  await run(new Map(['watchdog', 'restore'].map((actor) => [actor, back(actor)])), plan.kills[1])
  await run(new Map([['again', back('again')]]), plan.kills[2])
  const outcome = back('last')
  await run(new Map([['last', outcome]]))
  while (folder.late > 0) folder.doLate()
  while (folder.serverState !== 'running' && folder.serverState !== 'dead') folder.moveServer(0)
  return {
    folder,
    original,
    lost,
    errors: errors.filter((error) => !(error instanceof UserError && error.exit === 5)),
    outcome: await outcome,
  }
}

test('takePlace() and giveBack() lose no socket of a server that restarts, whoever is killed when', {timeout: 300_000}, async () => {
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const {folder, original, lost, errors, outcome} = await play(plan, true)
      const trail = folder.trail.join('\n')
      expect(errors, trail).toEqual([])
      expect(lost).toEqual([])
      expect(dots(folder), trail).toEqual([])
      const at = folder.names.get(folder.path)
      if (folder.serverState === 'running') expect(at, trail).toBe(folder.server)
      else expect(at?.listening ?? false, trail).toBe(false)
      if (plan.serverMoves === 0) {
        expect(at).toBe(original)
        expect(outcome.outcome).toMatch(/back/)
      }
      // What makes a bind fail is a link to what was alive when it was looked at, never a swap.
      expect(
        folder.failedBinds.filter((cause) => cause !== 'link'),
        trail,
      ).toEqual([])
    }),
    {numRuns: 1500},
  )
})

test('takePlace() and giveBack() without a swap at once end with the original at its path as long as its server does not restart', {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const {folder, original, errors} = await play({...plan, serverMoves: 0}, false)
      expect(errors, folder.trail.join('\n')).toEqual([])
      expect(dots(folder), folder.trail.join('\n')).toEqual([])
      expect(folder.names.get(folder.path), folder.trail.join('\n')).toBe(original)
    }),
    {numRuns: 500},
  )
})
