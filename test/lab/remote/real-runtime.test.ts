import {readdirSync} from 'node:fs'
import {expect, test} from 'vitest'
import type {CriContainerStatus} from '../../../src/kubelet/cri.ts'
import {repro} from '../../../src/repro.ts'
import type {ContainerEvent, Event} from '../../../src/timeline/event.ts'
import {eventWords} from '../../../src/timeline/event-words.ts'
import {startRemoteLab} from '../../support/remote-lab.ts'
import {until} from '../../support/until.ts'

const ofContainers = (events: readonly Event[]): readonly ContainerEvent[] =>
  events.flatMap((event) => (event.kind === 'container' ? [event] : []))

test('openRealRuntime() has the timeline tell all that the runtime does, and takes away what is left in the end', async () => {
  const lab = await startRemoteLab(15)
  const report = await repro(lab.request(['failed-becomes-succeeded'], '1.36.2'))
  expect(report.metadata.real).toEqual({runtimeEndpoint: `unix://${lab.runtime.path}`, scale: 15})
  const told = ofContainers(report.scenarios[0]?.runs[0]?.timeline ?? []).map(eventWords)
  const did = ofContainers(lab.runtime.timeline.events).map(eventWords)
  // Two that come at once come in any order.
  expect(told.toSorted()).toEqual(did.slice(0, told.length).toSorted())
  expect(told).toContain('runtime: exited default/job-0 main 1 Error')
  expect(told).toContain('runtime: removed default/job-0 main')
  expect(did.filter((words) => words.includes('removed') && words.includes('sandbox')).length).toBe(2)
  expect(lab.runtime.world.sandboxes.list()).toEqual([])
  expect(lab.runtime.world.containers.list()).toEqual([])
  expect(readdirSync(lab.temporary)).toEqual([])
})

test('openRealRuntime() leaves pods of others alone', async () => {
  const lab = await startRemoteLab(15)
  const {world} = lab.runtime
  world.addSandbox('f1', {namespace: 'kube-system', name: 'dns', uid: 'other', attempt: 0})
  const container: CriContainerStatus = {
    id: 'f2',
    podSandboxId: 'f1',
    pod: {namespace: 'kube-system', name: 'dns', uid: 'other'},
    metadata: {name: 'main', attempt: 0},
    image: 'kubelimbo/lab:1',
    state: 'CREATED',
    createdAt: 1,
    startedAt: 0,
    finishedAt: 0,
    exitCode: 0,
    reason: '',
    message: '',
  }
  world.addContainer(container, ['sleep', 'infinity'])
  world.startContainer('f2', 0)
  const {scenarios} = await repro(lab.request(['failed-becomes-succeeded'], '1.36.2'))
  expect(ofContainers(scenarios[0]?.runs[0]?.timeline ?? []).filter(({uid}) => uid === 'other')).toEqual([])
  expect(world.sandboxes.list().map(({id, state}) => `${id} ${state}`)).toEqual(['f1 READY'])
  expect(world.containers.list().map(({id, state}) => `${id} ${state}`)).toEqual(['f2 RUNNING'])
})

test('openRealRuntime() leaves nothing behind when somebody stops it in between', async () => {
  const lab = await startRemoteLab(10)
  const {world} = lab.runtime
  const reason = new Error('enough')
  const ended = expect(repro(lab.request(['reason-cache-blocks-deletion'], '1.17.3'))).rejects.toBe(reason)
  await until(async () => expect(world.containers.list().map(({state}) => state)).toContain('RUNNING'))
  lab.stop.abort(reason)
  await ended
  expect(world.sandboxes.list()).toEqual([])
  expect(readdirSync(lab.temporary)).toEqual([])
})

test('openRealRuntime() cannot make a container end as it likes: that is inconclusive', async () => {
  const lab = await startRemoteLab()
  const {scenarios} = await repro(lab.request(['fallback-exit-137'], '1.36.2'))
  expect(scenarios[0]?.runs[0]).toMatchObject({
    verdict: 'inconclusive',
    met: false,
    why: expect.stringContaining('Cannot end a container of a real runtime as its exit code must be 137: it is 3'),
  })
})

test('openRealRuntime() says that nobody answers', async () => {
  const lab = await startRemoteLab()
  const {real, ...request} = lab.request(['failed-becomes-succeeded'], '1.36.2')
  if (real === undefined) throw new Error('it is not real')
  await expect(repro({...request, real: {...real, runtimeEndpoint: 'unix:///nowhere/cri.sock'}})).rejects.toMatchObject({
    message: expect.stringMatching(
      /^Cannot play scenarios on the container runtime as unix:\/\/\/nowhere\/cri.sock must answer: .*no such file or directory/,
    ),
    exit: 3,
  })
  expect(readdirSync(lab.temporary)).toEqual([])
})
