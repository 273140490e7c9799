// What a kubelet that starts makes of the volumes of the one before it.
import {describe, expect, test} from 'vitest'
import {fail} from '../../../src/faults/fail.ts'
import {loseReply} from '../../../src/faults/lose-reply.ts'
import type {LabNode} from '../../../src/lab/lab-node.ts'
import {callWords, goneAfter, left, logsWith, type Played, playVolume, remove} from '../../support/volume-lab.ts'

const versions = ['1.17.3', '1.18.2', '1.21.2', '1.26.5', '1.36.2']
const modes = ['Filesystem', 'Block'] as const

const restart = (after: number, down = 3000) => [after, ({kubelet}: LabNode) => kubelet.restart(down)] as const
/** The object goes at once. */
const removeNow = (after: number) => [after, ({client}: LabNode) => client.deletePod('default/web', 0)] as const
const dataFile = ({disk}: LabNode): string =>
  disk.listing('/var/lib/kubelet/pods').find(({path}) => path.endsWith('vol_data.json'))?.path ?? ''

/** Of the second kubelet's calls, those that began after its start. */
const callsSince = (played: Played, ms: number) => {
  const calls = played.node.timeline.events.flatMap((event) => (event.kind === 'call' && event.to === 'csi' ? [event] : []))
  return calls
    .filter(({at, method}) => at - played.created >= ms && method !== 'NodeGetCapabilities')
    .map(({method, outcome}) => `${method} ${outcome}`)
}

describe.each(versions.flatMap((version) => modes.map((mode) => [version, mode] as const)))('%s, %s', (profile, mode) => {
  test('a volume of a pod that runs stays, and is undone with the pod', async () => {
    const played = await playVolume({profile, mode, steps: [restart(8000), remove(30_000)], until: 70_000})
    const calls = callsSince(played, 8000)
    expect(calls.slice(-2)).toEqual(['NodeUnpublishVolume OK', 'NodeUnstageVolume OK'])
    expect(calls.filter((call) => call.startsWith('NodeUn'))).toHaveLength(2)
    expect(goneAfter(played)).toBeLessThan(60)
  })

  test('a volume of a pod that went meanwhile is undone', async () => {
    const played = await playVolume({profile, mode, steps: [restart(8000, 5000), removeNow(9000)], until: 60_000})
    expect(callsSince(played, 8000)).toEqual(['NodeUnpublishVolume OK', 'NodeUnstageVolume OK'])
    expect(left(played).filter((path) => path.includes('(mounted)'))).toEqual([])
  })

  test('a stage that timed out is forgotten, and so is its undoing, when nothing of the pod is left (kubernetes/kubernetes#85476)', async () => {
    const rules = [{name: 'held', match: {to: 'csi' as const, method: 'NodeStageVolume'}, fault: loseReply()}]
    const played = await playVolume({profile, mode, rules, steps: [removeNow(8000), restart(60_000)], until: 300_000})
    expect(callWords(played)[0]).toBe('NodeStageVolume CANCELLED')
    // As long as its vol_data.json lies in the pod's directory, unpublishing is tried once.
    const known = mode === 'Filesystem' && (profile === '1.17.3' || profile === '1.18.2')
    expect(callWords(played).slice(1)).toEqual(known ? ['NodeUnpublishVolume OK'] : [])
    expect(left(played).some((path) => /globalmount|staging\/pv1/.test(path))).toBe(true)
  })
})

test.each([
  ['1.17.3', 'Could not construct volume information, cleanup the mounts'],
  ['1.21.2', 'Could not construct volume information, cleanup the mounts'],
  ['1.26.5', 'Could not construct volume information, cleanup the mounts'],
  ['1.36.2', 'Cleaning up mounts for volume that could not be reconstructed'],
])('reconstruction of %s tries once to unmount what it cannot read, and forgets it', async (profile, text) => {
  const steps = [
    restart(8000, 5000),
    removeNow(9000),
    [9500, async (node: LabNode) => node.disk.writeFile(dataFile(node), '{"volumeHandle": ')] as const,
  ]
  const played = await playVolume({profile, steps, until: 60_000})
  expect(logsWith(played, text)).toHaveLength(1)
  expect(logsWith(played, 'operationExecutor.UnmountVolume failed')).toHaveLength(1)
  expect(callsSince(played, 8000)).toEqual([])
})

test('reconstruction of 1.36.2 keeps a volume uncertain though publishing it anew fails, and undoes it with its pod', async () => {
  const steps = [
    restart(8000),
    [
      8500,
      ({faults}: LabNode) => faults.add({name: 'no', match: {to: 'csi', method: 'NodePublishVolume'}, fault: fail('INTERNAL', 'no')}),
    ] as const,
    remove(30_000),
  ]
  const played = await playVolume({profile: '1.36.2', steps, until: 90_000})
  expect(logsWith(played, 'markVolumeErrorState leaving volume uncertain').length).toBeGreaterThan(0)
  expect(callsSince(played, 30_000).slice(-2)).toEqual(['NodeUnpublishVolume OK', 'NodeUnstageVolume OK'])
  expect(goneAfter(played)).toBeLessThan(45)
})

test('reconstruction of 1.36.2 unmounts nothing before the API server has said which pods there are', async () => {
  const rules = [
    {name: 'slow', match: {to: 'api' as const, method: 'GET persistentvolumeclaim'}, fault: fail('InternalError', 'no'), skip: 1},
  ]
  const played = await playVolume({profile: '1.36.2', rules, steps: [restart(8000)], until: 12_000})
  expect(callsSince(played, 8000)).toEqual([])
})
