import {expect, test} from 'vitest'
import {fail} from '../../src/faults/fail.ts'
import {fakeSuccess} from '../../src/faults/fake-success.ts'
import {hang} from '../../src/faults/hang.ts'
import type {Rule} from '../../src/faults/rule.ts'
import type {Profile} from '../../src/kubelet/profiles.ts'
import type {PodManifest} from '../../src/lab/api-server/pod-manifest.ts'
import type {LabNode} from '../../src/lab/lab-node.ts'
import {switched} from '../support/model-pods.ts'
import {callsOf, exitsOnTerm, goneAt, ignoresTerm, labStart, logsOf, playedLab, storyOf} from '../support/played-lab.ts'

const versions = ['1.17.3', '1.18.2', '1.21.2', '1.26.5', '1.36.2'] as const
const second = 1000

async function withPod(
  profile: string | Profile,
  spec: PodManifest['spec'],
  rules: readonly Rule[] = [],
  finalizers: readonly string[] = [],
): Promise<LabNode> {
  const lab = playedLab(profile, 1, rules)
  void lab.client.createPod({metadata: {name: 'a', finalizers}, spec})
  await lab.run(labStart + 8 * second)
  return lab
}

const oneThat = (...command: readonly string[]) => ({containers: [{name: 'c', command}]})
const endsOf = ({timeline}: LabNode) =>
  timeline.events.flatMap((event) => (event.kind === 'container' && event.what === 'exited' && event.container ? [event] : []))

test.each(versions)('startKubelet() starts a pod, sees it exit and deletes it, on %s', async (version) => {
  const lab = await withPod(version, oneThat(...exitsOnTerm(0)))
  expect(storyOf(lab, 'default/a').at(-1)).toBe('Running c=running')
  void lab.client.deletePod('default/a')
  await lab.run(labStart + 100 * second)
  expect(storyOf(lab, 'default/a').at(-1)).toMatch(/c=terminated 0 Completed$/)
  expect(goneAt(lab, 'default/a')).toBeLessThan(labStart + 20 * second)
  expect(lab.timeline.events.filter((event) => event.kind === 'container' && event.what === 'removed')).toHaveLength(2)
})

test.each(versions)('startKubelet() does the same for the same seed, on %s', async (version) => {
  const bytes = async () => JSON.stringify((await withPod(version, oneThat('sh', '-c', 'sleep 1; exit 1'))).timeline.events)
  expect(await bytes()).toBe(await bytes())
})

test.each(versions)('startKubelet() anew takes over what runs, on %s', async (version) => {
  const lab = await withPod(version, oneThat(...exitsOnTerm(3)))
  lab.kubelet.restart(3 * second)
  const calls = lab.timeline.events.length
  await lab.run(labStart + 11 * second - 1)
  expect(lab.timeline.events.slice(calls).filter(({kind}) => kind === 'call')).toEqual([])
  await lab.run(labStart + 30 * second)
  expect(callsOf(lab, 'CreateContainer')).toHaveLength(1)
  void lab.client.deletePod('default/a')
  await lab.run(labStart + 60 * second)
  expect(storyOf(lab, 'default/a').at(-1)).toMatch(/c=terminated 3 Error$/)
  expect(goneAt(lab, 'default/a')).toBeDefined()
})

test.each(versions)('startKubelet() kills what runs of a pod that went while it was down, on %s', async (version) => {
  const lab = await withPod(version, oneThat(...ignoresTerm))
  lab.kubelet.restart(5 * second)
  void lab.client.deletePod('default/a', 0)
  await lab.run(labStart + 120 * second)
  expect(endsOf(lab)).toMatchObject([{exitCode: 137}])
})

test.each(versions)('startKubelet() runs init containers one after the other, on %s', async (version) => {
  const initContainers = ['i', 'j'].map((name) => ({name, command: ['sh', '-c', 'sleep 1']}))
  const lab = await withPod(version, {initContainers, ...oneThat('sh', '-c', 'sleep 100')})
  expect(callsOf(lab, 'CreateContainer').map(({container}) => container)).toEqual(['i', 'j', 'c'])
})

test('startKubelet() starts what crashes after 0, 10, 20, 40 s and so on', async () => {
  const lab = await withPod('1.36.2', oneThat('sh', '-c', 'sleep 1; exit 1'))
  await lab.run(labStart + 400 * second)
  const starts = callsOf(lab, 'StartContainer').map(({at}) => at)
  const waits = starts.slice(1).map((at, index) => (at - (endsOf(lab)[index]?.at ?? 0)) / second)
  const atLeast = [0, 10, 20, 40, 80, 160]
  expect(waits).toHaveLength(atLeast.length)
  for (const [index, wait] of waits.entries()) expect(wait).toBeGreaterThanOrEqual(atLeast[index] ?? 0)
})

test.each(versions)('startKubelet() kills a container whose postStart hook fails, on %s', async (version) => {
  const command = exitsOnTerm(3)
  const lifecycle = {postStart: {exec: {command: ['sh', '-c', 'exit 7']}}}
  const lab = await withPod(version, {restartPolicy: 'Never', containers: [{name: 'c', command, lifecycle}]})
  expect(callsOf(lab, 'StopContainer')[0]?.request).toMatchObject({timeout: 30})
  expect(storyOf(lab, 'default/a').at(-1)).toBe('Failed c=terminated 3 Error')
})

test.each(versions)('startKubelet() backs off from an image that cannot be pulled, on %s', async (version) => {
  const lab = await withPod(version, {containers: [{name: 'c', image: 'registry.invalid/c:1'}]})
  await lab.run(labStart + 60 * second)
  expect(storyOf(lab, 'default/a')).toContain('Pending c=waiting ErrImagePull')
  expect(storyOf(lab, 'default/a')).toContain('Pending c=waiting ImagePullBackOff')
  expect(callsOf(lab, 'PullImage').length).toBeLessThanOrEqual(3)
})

test.each([
  ['1.17.3', 'Failed/Evicted'],
  ['1.21.2', 'Failed/Evicted'],
  ['1.36.2', 'Failed/Evicted c=terminated 137 ContainerStatusUnknown'],
] as const)('evict() ends a pod on %s as %s', async (version, expected) => {
  const lab = await withPod(version, oneThat(...ignoresTerm))
  lab.kubelet.evict('default/a', 'The node was low on resource: memory.')
  await lab.run(labStart + 60 * second)
  expect(storyOf(lab, 'default/a').at(-1)).toBe(expected)
  expect(endsOf(lab)).toMatchObject([{exitCode: 137}])
})

test.each(versions)('readiness() makes a container with a probe ready, on %s', async (version) => {
  const lab = await withPod(version, {containers: [{name: 'c', readinessProbe: {}}]})
  const ready = () => {
    const last = lab.timeline.events.findLast((event) => event.kind === 'object')
    return JSON.stringify(last?.object).includes('"type":"Ready","status":"True"')
  }
  expect(ready()).toBe(false)
  lab.kubelet.readiness('default/a', 'c', true)
  await lab.run(labStart + 30 * second)
  expect(ready()).toBe(true)
})

test.each(['1.26.5', '1.36.2'])('startKubelet() kills again what runs after a kill that succeeded, on %s', async (version) => {
  const lies = ['StopContainer', 'StopPodSandbox'].map(
    (method) => ({name: method, match: {to: 'cri', method}, limit: 1, fault: fakeSuccess()}) as const,
  )
  const lab = await withPod(version, oneThat(...exitsOnTerm(3)), lies)
  void lab.client.deletePod('default/a')
  await lab.run(labStart + 60 * second)
  expect(logsOf(lab, 'Error syncing pod, skipping')[0]?.fields).toMatchObject({err: expect.stringContaining('CRI violation')})
  const [first, again] = callsOf(lab, 'StopContainer').map(({at}) => at / second)
  expect((again ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(10)
  expect((again ?? 0) - (first ?? 0)).toBeLessThan(17)
  expect(goneAt(lab, 'default/a')).toBeDefined()
})

test('startKubelet() does nothing while the runtime has not been listed for three minutes', async () => {
  const lab = await withPod('1.36.2', oneThat(...ignoresTerm))
  lab.faults.add({name: 'hung', match: {to: 'cri', method: 'ListContainers'}, fault: hang()})
  // Housekeeping lists, too, and holds up the sync loop for as long.
  await lab.run(labStart + 300 * second)
  const skipped = lab.timeline.events.filter((event) => event.kind === 'log' && event.text.includes('pleg was last seen active'))
  expect(skipped.length).toBeGreaterThan(0)
  lab.faults.remove('hung')
  await lab.run(labStart + 600 * second)
  void lab.client.deletePod('default/a', 2)
  await lab.run(labStart + 620 * second)
  expect(goneAt(lab, 'default/a')).toBeDefined()
})

test('startKubelet() has pod workers with states with pod-worker-states alone', async () => {
  const stopped = 'Pod termination stopped all running containers'
  const told = async (on: boolean) => {
    const lab = await withPod(switched('1.36.2', 'pod-worker-states', on), oneThat(...ignoresTerm))
    void lab.client.deletePod('default/a', 2)
    await lab.run(labStart + 60 * second)
    return logsOf(lab, stopped).length
  }
  expect([await told(true), await told(false)]).toEqual([1, 0])
})

test('startKubelet() gives a pod its terminal phase with exits-read-after-kill', async () => {
  const end = async (on: boolean) => {
    const lab = await withPod(switched('1.36.2', 'exits-read-after-kill', on), oneThat(...exitsOnTerm(0)))
    void lab.client.deletePod('default/a')
    await lab.run(labStart + 60 * second)
    return storyOf(lab, 'default/a').at(-1)
  }
  expect([await end(true), await end(false)]).toEqual(['Succeeded c=terminated 0 Completed', 'Failed c=terminated 0 Completed'])
})

test('startKubelet() goes through the end of a failed pod once more when it starts anew, with terminal-synced-anew', async () => {
  const ended = async (on: boolean) => {
    const spec = {restartPolicy: 'Never', ...oneThat('sh', '-c', 'exit 1')} as const
    const lab = await withPod(switched('1.36.2', 'terminal-synced-anew', on), spec, [], ['example.com/held'])
    lab.kubelet.restart(second)
    await lab.run(labStart + 60 * second)
    return logsOf(lab, 'Pod is terminated and will need no more status updates').length
  }
  expect([await ended(true), await ended(false)]).toEqual([2, 1])
})

test('startKubelet() tries again to kill a pod whose object is gone, with orphans-terminated', async () => {
  const ends = async (on: boolean) => {
    const fails = ['StopContainer', 'StopPodSandbox'].map(
      (method) => ({name: method, match: {to: 'cri', method}, limit: 1, fault: fail('UNKNOWN')}) as const,
    )
    const lab = await withPod(switched('1.36.2', 'orphans-terminated', on), oneThat(...ignoresTerm), fails)
    void lab.client.deletePod('default/a', 0)
    await lab.run(labStart + 200 * second)
    return endsOf(lab).length
  }
  expect([await ends(true), await ends(false)]).toEqual([1, 0])
})

test('startKubelet() tells of a start at once with relist-on-demand', async () => {
  const runsAfter = async (on: boolean) => {
    const lab = await withPod(switched('1.36.2', 'relist-on-demand', on), oneThat(...ignoresTerm))
    const started = callsOf(lab, 'StartContainer')[0]?.endedAt ?? 0
    const told = callsOf(lab, 'PATCH pod/status').find(({request}) => request.phase === 'Running')?.at ?? Number.NaN
    return told - started
  }
  expect(await runsAfter(true)).toBeLessThan(50)
  expect(await runsAfter(false)).toBeGreaterThan(100)
})

test('readiness() has the pod synced with probes-sync-pods', async () => {
  // What could not be made is tried again after 10 to 15 s, unless something else has the pod synced before: here twice the start of the other one.
  const match = {to: 'cri', method: 'CreateContainer', container: 'late'} as const
  const fails: Rule = {name: 'thrice', match, limit: 3, fault: fail('UNKNOWN', 'no')}
  const tries = async (on: boolean) => {
    const containers = [{name: 'c', readinessProbe: {}}, {name: 'late'}]
    const lab = await withPod(switched('1.21.2', 'probes-sync-pods', on), {containers}, [fails])
    lab.kubelet.readiness('default/a', 'c', true)
    await lab.run(labStart + 9 * second)
    return callsOf(lab, 'CreateContainer').filter(({container}) => container === 'late').length
  }
  expect([await tries(true), await tries(false)]).toEqual([4, 3])
})

test('startKubelet() starts a pod while an earlier one of its name is being killed, without kills-awaited', async () => {
  const startedAt = async (on: boolean) => {
    const spec = oneThat(...ignoresTerm)
    const lab = await withPod(switched('1.21.2', 'kills-awaited', on), spec)
    const again = async () => {
      await lab.client.deletePod('default/a', 0)
      await lab.client.createPod({metadata: {name: 'a'}, spec})
    }
    void again()
    await lab.run(labStart + 60 * second)
    return (callsOf(lab, 'StartContainer')[1]?.at ?? Number.NaN) - labStart
  }
  // The kill takes two seconds, but the sync that had to wait for it failed.
  expect(await startedAt(true)).toBeGreaterThan(18 * second)
  expect(await startedAt(false)).toBeLessThan(12 * second)
})

test('startKubelet() looks at a pod again every 10 to 15 s while it waits to pull an image, on 1.36.2, too', async () => {
  const lab = await withPod('1.36.2', {containers: [{name: 'c', image: 'registry.invalid/c:1', imagePullPolicy: 'IfNotPresent'}]})
  await lab.run(labStart + 600 * second)
  // Each sync asks for the image; the back-off has gone up to 300 s by then.
  const asked = callsOf(lab, 'ImageStatus').map(({at}) => at)
  const waits = asked.slice(1).map((at, index) => (at - (asked[index] ?? 0)) / second)
  expect(Math.max(...waits)).toBeLessThan(18)
})
