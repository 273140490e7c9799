// What the kubelet does when the driver hangs, fails, or answers late: the histories that the reference derives from the sources.
import {describe, expect, test} from 'vitest'
import {delay} from '../../../src/faults/delay.ts'
import {fail} from '../../../src/faults/fail.ts'
import type {Fault} from '../../../src/faults/fault.ts'
import {hang} from '../../../src/faults/hang.ts'
import {loseReply} from '../../../src/faults/lose-reply.ts'
import type {Rule} from '../../../src/faults/rule.ts'
import type {LabNode} from '../../../src/lab/lab-node.ts'
import {
  callTimes,
  callWords,
  create,
  csiCalls,
  goneAfter,
  left,
  logsWith,
  playVolume,
  remove,
  withVolume,
} from '../../support/volume-lab.ts'

const versions = ['1.17.3', '1.18.2', '1.21.2', '1.26.5', '1.36.2']
const since = (version: string) => versions.slice(versions.indexOf(version))

const csi = (method: string, fault: Fault, limit?: number): Rule => ({
  name: `${method} ${limit ?? ''}`,
  match: {to: 'csi', method},
  ...(limit !== undefined && {limit}),
  fault,
})
const stage = 'NodeStageVolume'
const publish = 'NodePublishVolume'
const unstage = 'NodeUnstageVolume'
const unpublish = 'NodeUnpublishVolume'

describe('the driver never answers a stage, and the pod is deleted', () => {
  test.each(['Filesystem', 'Block'] as const)('before the fix nothing is undone: %s', async (mode) => {
    const played = await playVolume({profile: '1.17.3', mode, rules: [csi(stage, hang())], steps: [remove(10_000)], until: 300_000})
    expect(callWords(played)).toEqual([`${stage} DEADLINE_EXCEEDED`])
    expect(logsWith(played, 'Volume detached')).toHaveLength(1)
  })

  test.each(since('1.18.2').flatMap((version) => [[version, 'Filesystem'] as const, [version, 'Block'] as const]))(
    'since the fix it is unstaged within 0.2 s of the deadline, then detached: %s %s',
    async (profile, mode) => {
      const played = await playVolume({profile, mode, rules: [csi(stage, hang())], steps: [remove(10_000)], until: 300_000})
      const calls = callTimes(played)
      const [last, undone] = calls.slice(-2)
      expect(calls.map(([words]) => words)).toEqual([...calls.slice(0, -1).map(() => `${stage} DEADLINE_EXCEEDED`), `${unstage} OK`])
      expect((undone?.[1] ?? 0) - (last?.[2] ?? 0)).toBeLessThan(0.2)
      expect(
        played.node.timeline.events.findLastIndex((event) => event.kind === 'log' && event.text === 'Volume detached'),
      ).toBeGreaterThan(played.node.timeline.events.findLastIndex((event) => event.kind === 'call' && event.method === unstage))
      expect(left(played).filter((path) => /globalmount|pv1|mounted/.test(path) && !path.startsWith('pods/'))).toEqual([])
    },
  )

  test.each(versions)('a pod that stays is staged again 500 ms after each deadline, then longer: %s', async (profile) => {
    const played = await playVolume({profile, rules: [csi(stage, hang())], until: 370_000})
    const began = callTimes(played).map(([, at]) => at)
    expect(began.map((at) => Math.floor(at))).toEqual([0, 120, 241, 363].slice(0, began.length))
    expect(began.length).toBeGreaterThanOrEqual(3)
  })
})

describe('the driver never answers a publish, and the pod is deleted', () => {
  test('before the fix a filesystem is unstaged and never unpublished', async () => {
    const played = await playVolume({profile: '1.17.3', rules: [csi(publish, hang())], steps: [remove(10_000)], until: 200_000})
    expect(callWords(played)).toEqual([`${stage} OK`, `${publish} DEADLINE_EXCEEDED`, `${unstage} OK`])
  })

  test('before the fix a raw block volume is neither, as nothing of it was ever mapped', async () => {
    const played = await playVolume({
      profile: '1.17.3',
      mode: 'Block',
      rules: [csi(publish, hang())],
      steps: [remove(10_000)],
      until: 400_000,
    })
    expect(callWords(played)).toEqual([`${stage} OK`, `${publish} DEADLINE_EXCEEDED`])
    const errors = logsWith(played, 'Operation failed').map(({fields}) => String(fields?.error))
    expect(
      errors.filter((error) => error.startsWith('UnmapDevice.GetDeviceBindMountRefs check failed: directory cannot read')).length,
    ).toBeGreaterThan(6)
  })

  test.each(
    since('1.18.2')
      .flatMap((version) => [[version, 'Filesystem'] as const, [version, 'Block'] as const])
      .filter(([version, mode]) => version !== '1.21.2' || mode === 'Block'),
  )('since the fix it is unpublished, though the target is not there, then unstaged: %s %s', async (profile, mode) => {
    const played = await playVolume({profile, mode, rules: [csi(publish, hang())], steps: [remove(10_000)], until: 300_000})
    const calls = callTimes(played)
    expect(calls.slice(-2).map(([words]) => words)).toEqual([`${unpublish} OK`, `${unstage} OK`])
    expect((calls.at(-2)?.[1] ?? 0) - (calls.at(-3)?.[2] ?? 0)).toBeLessThan(1)
  })
})

describe('the driver answers with an error', () => {
  test.each(versions.flatMap((version) => [[version, 'Filesystem'] as const, [version, 'Block'] as const]))(
    'INVALID_ARGUMENT ends a stage: nothing is to be undone: %s %s',
    async (profile, mode) => {
      const rules = [csi(stage, fail('INVALID_ARGUMENT', 'no'))]
      const played = await playVolume({profile, mode, rules, steps: [remove(10_000)], until: 200_000})
      expect(csiCalls(played, unstage)).toEqual([])
      expect(left(played).filter((path) => path.includes('(mounted)'))).toEqual([])
    },
  )

  test.each(since('1.18.2'))(
    'INTERNAL after a deadline ends the doubt, whatever the first call still does: %s (kubernetes/kubernetes#125625)',
    async (profile) => {
      const rules = [csi(stage, loseReply(), 1), csi(stage, fail('INTERNAL', 'no'))]
      const played = await playVolume({profile, mode: 'Block', rules, steps: [remove(125_000)], until: 300_000})
      expect(csiCalls(played, unstage)).toEqual([])
      expect(played.node.drivers.get('csi.example.com')?.volumes()[0]?.stagedAt).toBeDefined()
    },
  )

  test.each([
    ['1.26.5', 'Filesystem', 0],
    ['1.36.2', 'Filesystem', 1],
    ['1.36.2', 'Block', 0],
  ] as const)(
    'a driver that cannot be asked what it can do, after a deadline: %s %s (kubernetes/kubernetes#135929)',
    async (profile, mode, expected) => {
      const down = ({faults}: LabNode) => faults.add(csi('NodeGetCapabilities', fail('UNAVAILABLE', 'restarting'), 3))
      const rules = [csi(stage, loseReply(), 1), csi(stage, fail('UNAVAILABLE', 'restarting'))]
      const steps = [[60_000, down] as const, remove(121_500)]
      const played = await playVolume({profile, mode, rules, steps, until: 300_000})
      expect(csiCalls(played, unstage).length).toBe(expected)
    },
  )

  test.each([unpublish, unstage])('NOT_FOUND of %s is tried again for ever (kubernetes/kubernetes#135736)', async (method) => {
    const played = await playVolume({
      profile: '1.36.2',
      rules: [csi(method, fail('NOT_FOUND', 'no'))],
      steps: [remove(8000)],
      until: 300_000,
    })
    expect(csiCalls(played, method).length).toBeGreaterThan(8)
  })
})

describe('the driver is late', () => {
  test.each(versions.filter((version) => version !== '1.21.2'))(
    'a stage that succeeds after the pod went is published, unpublished and unstaged: %s',
    async (profile) => {
      const rules = [csi(stage, delay(60_000))]
      const steps = [[10_000, ({client}: LabNode) => client.deletePod('default/web', 0)] as const]
      const played = await playVolume({profile, rules, steps, until: 120_000})
      expect(callWords(played)).toEqual([`${stage} OK`, `${publish} OK`, `${unpublish} OK`, `${unstage} OK`])
    },
  )
})

test.each([
  ['hangs', csi(publish, hang()), 300_000],
  ['is late', csi(stage, delay(60_000)), 120_000],
] as const)(
  '1.21.2 throws vol_data.json away while the driver %s, and can undo nothing then (kubernetes/kubernetes#101911)',
  async (_how, rule, until) => {
    const steps = [[10_000, ({client}: LabNode) => client.deletePod('default/web', 0)] as const]
    const played = await playVolume({profile: '1.21.2', rules: [rule], steps, until})
    expect(callWords(played).filter((words) => words.startsWith('NodeUn'))).toEqual([])
    expect(logsWith(played, 'operationExecutor.UnmountVolume failed').at(-1)?.fields?.err).toMatch(
      /^UnmountVolume.NewUnmounter failed: ENOENT/,
    )
  },
)

describe('two pods with one volume', () => {
  test.each(versions.flatMap((version) => [[version, 'Filesystem'] as const, [version, 'Block'] as const]))(
    'it is unstaged once, after the last of them: %s %s',
    async (profile, mode) => {
      const steps = [create(2000, withVolume('other')), remove(10_000), remove(30_000, 'default/other')]
      const played = await playVolume({profile, mode, steps, until: 70_000})
      const undone = callWords(played).filter((words) => words.startsWith('NodeUn'))
      expect(undone).toEqual([`${unpublish} OK`, `${unpublish} OK`, `${unstage} OK`])
      expect([goneAfter(played), goneAfter(played, 'default/other')].every((at) => at !== undefined)).toBe(true)
    },
  )
})

test.each(versions)('an inline volume is published and unpublished, and never staged: %s', async (profile) => {
  const manifest = withVolume('web', {volumes: [{name: 'scratch', csi: {driver: 'csi.example.com'}}]})
  const played = await playVolume({profile, manifest, steps: [remove(8000)], until: 40_000})
  expect(callWords(played)).toEqual([`${publish} OK`, `${unpublish} OK`])
  expect(goneAfter(played)).toBeLessThan(30)
})

test.each(versions)('a driver that does not stage is asked to publish alone: %s', async (profile) => {
  const played = await playVolume({profile, driver: {capabilities: []}, steps: [remove(8000)], until: 40_000})
  expect(callWords(played)).toEqual([`${publish} OK`, `${unpublish} OK`])
})
