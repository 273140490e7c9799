import {expect, test} from 'vitest'
import {sourceNames} from '../../src/node/snapshot.ts'
import {ContainerState, PodSandboxState} from '../../src/wire/gen/cri_pb.ts'
import {ignoresTerm, labStart, playedLab} from '../support/played-lab.ts'

async function runningLab(version = '1.36.2') {
  const lab = playedLab(version)
  const containers = [
    {name: 'ok', command: ignoresTerm},
    {name: 'bad', command: ['no-such-command']},
  ]
  void lab.client.createPod({metadata: {name: 'web'}, spec: {restartPolicy: 'Never', terminationGracePeriodSeconds: 20, containers}})
  await lab.run(labStart + 10_000)
  return lab
}

test('snapshot() has what the runtime lists and says of each container, under the same ids', async () => {
  const {readings} = (await runningLab()).snapshot()
  const [sandboxes, containers, looks] = [
    readings['runtime.sandboxes'],
    readings['runtime.containers'],
    readings['runtime.container-status'],
  ]
  expect(sandboxes).toMatchObject({value: [{metadata: {name: 'web', namespace: 'default'}, state: PodSandboxState.SANDBOX_READY}]})
  expect(containers).toMatchObject({
    value: [
      {metadata: {name: 'ok'}, state: ContainerState.CONTAINER_RUNNING, labels: {'io.kubernetes.container.name': 'ok'}},
      {metadata: {name: 'bad'}, state: ContainerState.CONTAINER_EXITED},
    ],
  })
  expect(looks).toMatchObject({
    value: [{outcome: {state: 'answered'}, status: {finishedAt: 0n}}, {status: {startedAt: 0n, exitCode: 128, reason: 'StartError'}}],
  })
  const idsOf = (reading: unknown) => (reading as {value: readonly {id: string}[]}).value.map(({id}) => id)
  expect(idsOf(looks)).toEqual(idsOf(containers))
})

test('snapshot() has each pod as the API server and as the kubelet serves it', async () => {
  const lab = await runningLab()
  void lab.client.deletePod('default/web')
  await lab.run(labStart + 12_000)
  const {readings, node} = lab.snapshot()
  const pod = {
    name: 'web',
    namespace: 'default',
    phase: 'Running',
    restartPolicy: 'Never',
    nodeName: node,
    deletedAt: labStart + 30_000,
    graceMs: 20_000,
    ownGraceMs: 20_000,
    containers: [
      {name: 'bad', state: 'terminated', exitCode: 128, reason: 'StartError', finishedAt: expect.any(Number)},
      {name: 'ok', state: 'running', startedAt: expect.any(Number), containerId: expect.not.stringContaining('://')},
    ],
  }
  expect(readings['api.pods']).toMatchObject({state: 'read', value: [pod]})
  expect(readings['api.pods']).not.toMatchObject({value: [{configSource: 'api'}]})
  expect(readings['kubelet.pods']).toMatchObject({state: 'read', value: [{...pod, configSource: 'api'}]})
})

test('snapshot() of a kubelet that is down has its log, and that nobody answers', async () => {
  const lab = await runningLab()
  expect(lab.snapshot().kubeletProcess?.startedAt).toBeLessThan(labStart)
  lab.kubelet.restart(5000)
  const {readings, kubeletProcess} = lab.snapshot()
  expect(readings['kubelet.pods']).toMatchObject({state: 'failed', kind: 'refused'})
  expect([readings['kubelet.log'].state, kubeletProcess]).toEqual(['read', undefined])
  await lab.run(labStart + 20_000)
  expect(lab.snapshot().kubeletProcess?.startedAt).toBe(labStart + 15_000)
})

test('snapshot() calls absent what the lab does not have', async () => {
  const {readings, kubeletVersion, when} = (await runningLab('1.17.3')).snapshot()
  const read = sourceNames.filter((name) => readings[name].state === 'read')
  expect(read).toEqual([
    'runtime.sandboxes',
    'runtime.containers',
    'runtime.container-status',
    'runtime.answers',
    'kubelet.pods',
    'kubelet.log',
    'disk.entries',
    'disk.vol-data',
    'disk.mounts',
    'csi.registrations',
    'csi.drivers',
    'kernel.mounts',
    'kernel.boot',
    'takeovers',
    'api.pods',
  ])
  expect(sourceNames.filter((name) => readings[name].state === 'failed')).toEqual([])
  expect([kubeletVersion, when]).toEqual(['1.17.3', labStart + 10_000])
})
