// Defects of the volume half that we plant into a copy of the model are found.
import {describe, expect, test} from 'vitest'
import {type Defect, exploredWith} from '../../support/planted-defect.ts'

const defects: readonly Defect[] = [
  {
    name: 'a volume that two pods had is not unstaged',
    file: 'volumes/actual-world.ts',
    from: 'volume.pods.delete(podUid)',
    to: "if (volume.pods.size > 1) volume.device = 'DeviceNotMounted'\n    volume.pods.delete(podUid)",
    finds: 'stage-not-undone: let go',
  },
  {
    name: 'a deadline that has passed is taken for an answer',
    file: 'volumes/csi-client.ts',
    from: "errorClass(goCode(error.code)) === 'uncertain'",
    to: "errorClass(goCode(error.code)) === 'uncertain' && error.code !== 'DEADLINE_EXCEEDED'",
    finds: '-not-undone: ',
  },
  {
    name: 'a volume is unstaged whether or not it is unpublished',
    file: 'volumes/reconciler.ts',
    from: 'pods.size === 0 && !desired.has(name)',
    to: 'pods.size >= 0 && !desired.has(name)',
    finds: 'unstaged-while-published: unpublishing it failed',
  },
  {
    name: 'what an earlier kubelet left is not taken up',
    file: 'volumes/reconstruct-volumes.ts',
    from: 'for (const volume of await volumesFromPodDirs(disk)) {\n        try',
    to: 'for (const volume of (await volumesFromPodDirs(disk)).slice(0, 0)) {\n        try',
    finds: 'publish-not-undone: never tried, after a restart',
  },
  {
    name: 'after its second failure an operation is never tried again',
    file: 'volumes/pending-operations.ts',
    from: 'Math.min(entry.duration * 2, maxDuration)',
    to: 'Number.POSITIVE_INFINITY',
    finds: ': tried no more',
  },
]

describe('exploreHistories()', {timeout: 120_000}, () => {
  test.concurrent.each(defects)('finds that $name ($file)', async (defect) => {
    const {found} = await exploredWith('volumes', 600, defect)
    expect(found?.kind).toContain(defect.finds)
  })

  test.concurrent('finds nothing about volumes but what is known where nothing is planted', async () => {
    expect(await exploredWith('volumes', 60)).toEqual({histories: 60})
  })
})
