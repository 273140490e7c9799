// Defects that we plant into a copy of the model are found.
import {describe, expect, test} from 'vitest'
import {type Defect, exploredWith} from '../../support/planted-defect.ts'

const defects: readonly Defect[] = [
  {
    name: 'the object goes whether or not its worker has finished',
    file: 'status/can-be-deleted.ts',
    from: 'if (!whenFinished) return ',
    to: 'if (whenFinished) return true\n    return ',
    finds: 'removed-while-running: ',
  },
  {
    name: 'a sync that failed is not tried again',
    file: 'workers/stateful-workers.ts',
    from: 'queue.enqueue(uid, phaseTransition',
    to: 'if (error === undefined) queue.enqueue(uid, phaseTransition',
    finds: 'stuck-terminating: ',
  },
  {
    name: 'ending a pod writes over how its containers ended',
    file: 'status/terminated-status.ts',
    from: "if (!profile.switches.has('ends-keep-exits'))",
    to: "if (profile.switches.has('ends-keep-exits'))",
    finds: 'success-made-up: ',
  },
  {
    name: 'a container that has ended may not stay so',
    file: 'status/container-transition.ts',
    from: "&& !('terminated' in status.state)",
    to: "&& 'terminated' in status.state",
    finds: 'stuck-terminating: ',
  },
  {
    name: 'a pod that could not be inspected is not inspected again',
    file: 'pleg/pleg.ts',
    from: 'toReinspect = failed',
    to: 'toReinspect = new Set()',
    finds: 'stuck-terminating: ',
  },
  {
    name: 'a removal that failed is not tried again by the batch',
    file: 'status/status-sync.ts',
    from: 'return pod !== undefined && deletable(',
    to: 'return false && deletable(',
    finds: 'stuck-terminating: ',
  },
  {
    name: 'a container that was quick has succeeded',
    file: 'status/convert-container-statuses.ts',
    from: 'return {terminated: {exitCode, ',
    to: 'return {terminated: {exitCode: finishedAt - startedAt < 2000 ? 0 : exitCode, ',
    finds: 'success-made-up: ',
  },
]

describe('exploreHistories()', {timeout: 120_000}, () => {
  test.concurrent.each(defects)('finds that $name ($file)', async (defect) => {
    const {found} = await exploredWith('pods', 2000, defect)
    expect(found?.kind).toContain(defect.finds)
  })

  test.concurrent('finds nothing but what is known where nothing is planted', async () => {
    expect(await exploredWith('pods', 200)).toEqual({histories: 200})
  })
})
