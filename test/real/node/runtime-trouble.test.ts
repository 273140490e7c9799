import {mkdtempDisposable} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, afterEach, beforeAll, describe, expect, test} from 'vitest'
import {alarms} from '../../support/alarms.ts'
import type {Release} from '../../support/containerd-parts.ts'
import {sandboxOf, startContainer} from '../../support/crictl-pods.ts'
import {type HealthyNode, startHealthyNode} from '../../support/healthy-node.ts'
import {kubelimbo} from '../../support/kubelimbo.ts'
import type {RunningPod} from '../../support/miniature-node.ts'
import {podForgotten, podHeldByFinalizer, podKilledBehindItsShim, podNobodyKnows, podOfDeadDriver} from '../../support/troubled-pods.ts'

const podSubject = (name: string, uid: string) => ({kind: 'Pod', namespace: 'default', name, uid})
const appSubject = (pod: string, podUid: string) => ({kind: 'Container', namespace: 'default', name: 'app', pod, podUid})

describe.each<Release>(['debian', 'newest'])('check, with containerd (%s)', (release) => {
  let node: HealthyNode

  // Of a kubelet that has just started it is no wonder that it has not cleaned up.
  beforeAll(async () => {
    node = await startHealthyNode({release, upMs: 600_000})
  })
  afterAll(() => node[Symbol.asyncDispose]())

  // What a test breaks it puts right, so that the next one meets a healthy node.
  afterEach(async () => expect(await alarms(node)).toEqual([]))

  test('finds R02, a sandbox that is READY, without a container, and of a pod that nobody knows', async () => {
    await using lost = await podNobodyKnows(node)
    const {crictl} = node.containerd
    await crictl('stop', '--timeout', '0', lost.container)
    await crictl('rm', lost.container)
    expect(await alarms(node)).toMatchObject([{code: 'R02', severity: 'error', subject: podSubject('lost-0', lost.uid), cause: null}])
  })

  test('finds R02, a sandbox that has ended and was not removed with its pod', async () => {
    await using lost = await podNobodyKnows(node)
    await node.containerd.crictl('stopp', lost.sandbox)
    expect(await alarms(node)).toMatchObject([{code: 'R02', severity: 'warning', subject: podSubject('lost-0', lost.uid), cause: null}])
  })

  test('finds R03, a container that runs for a pod that nobody knows, and that its sandbox is left for that reason', async () => {
    await using lost = await podNobodyKnows(node)
    const subject = podSubject('lost-0', lost.uid)
    expect(await alarms(node)).toMatchObject([
      {code: 'R03', severity: 'critical', subject, cause: null},
      {code: 'R02', severity: 'error', subject, cause: {code: 'R03', subject}},
    ])
  })

  test('finds R06, a container that was started again while the one before it runs on', async () => {
    const pod = await node.kubelet.runPod({name: 'twin-0'})
    try {
      await startBeside(node, pod)
      expect(await alarms(node)).toMatchObject([
        {code: 'R06', severity: 'critical', subject: appSubject('twin-0', pod.uid), cause: null, message: expect.stringMatching(/2 times/)},
      ])
    } finally {
      await node.containerd.crictl('stop', '--timeout', '0', pod.container)
      expect(await alarms(node)).toEqual([])
      await node.kubelet.deletePod(pod)
    }
  })

  test('finds R08, a container whose main process was killed while its shim was stopped', async () => {
    await using killed = await podKilledBehindItsShim(node)
    expect(await alarms(node)).toMatchObject([
      {code: 'R08', severity: 'error', subject: appSubject('killed-0', killed.pod.uid), cause: null},
    ])
  })

  test('of a snapshot finds the container whose process is gone, as check of the node does', async () => {
    await using _killed = await podKilledBehindItsShim(node)
    await using folder = await mkdtempDisposable(join(tmpdir(), 'kl-'))
    const file = join(folder.path, 'node.tar.gz')
    expect(await kubelimbo(['snapshot', file, ...node.flags], node.env)).toMatchObject({exitCode: 0})
    expect(await alarms({flags: ['--from', file], env: {}})).toEqual(await alarms(node))
  })

  test('finds P01, a pod whose container the runtime cannot stop as it is dead, and R08 behind it', async () => {
    await using killed = await podKilledBehindItsShim(node, {deleted: true})
    const subject = appSubject('killed-0', killed.pod.uid)
    const found = await alarms(node)
    expect(found).toHaveLength(2)
    expect(found).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({code: 'R08', severity: 'error', cause: null}),
        expect.objectContaining({
          code: 'P01',
          subject: podSubject('killed-0', killed.pod.uid),
          cause: {code: 'R08', subject: expect.objectContaining(subject)},
        }),
      ]),
    )
  })

  test('finds P01, a pod that should be gone, whose driver is dead, and C02 behind it', async () => {
    await using stuck = await podOfDeadDriver(node)
    const driver = expect.objectContaining({driver: node.driver.name})
    const found = await alarms(node)
    expect(found).toHaveLength(2)
    expect(found).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({code: 'C02', severity: 'error', subject: driver, cause: null}),
        expect.objectContaining({
          code: 'P01',
          severity: 'error',
          subject: podSubject('stuck-0', stuck.pod.uid),
          cause: {code: 'C02', subject: driver},
        }),
      ]),
    )
  })

  test('finds P01, a pod that should be gone, of which nothing is left: nothing holds it but the state of the kubelet', async () => {
    await using forgotten = await podForgotten(node)
    expect(await alarms(node)).toMatchObject([
      {
        code: 'P01',
        severity: 'error',
        subject: podSubject('forgotten-0', forgotten.pod.uid),
        cause: null,
        message: expect.stringContaining("the kubelet's state is stale"),
      },
    ])
  })

  test('finds nothing in a pod that should be gone and that a finalizer of somebody else holds', async () => {
    await using held = await podHeldByFinalizer(node)
    const pods = await (await fetch(`${node.kubelet.url}/pods`)).json()
    expect(JSON.stringify(pods)).toContain(held.pod.uid)
    expect(await alarms(node)).toEqual([])
  })
})

/** What a kubelet does whose runtime told it that the first one had ended. The one that there is takes it up. */
async function startBeside({containerd, kubelet}: HealthyNode, pod: RunningPod): Promise<void> {
  const {name, uid, sandbox} = pod
  const annotations = {'io.kubernetes.container.restartCount': '1', 'io.kubernetes.pod.terminationGracePeriod': '2'}
  const second = await sandboxOf(containerd, {name, uid}, sandbox)
  const id = await startContainer(containerd, second, {name: 'app', attempt: 1, annotations})
  await kubelet.told(pod, ({status: {containerStatuses: [app] = []}}) => app?.containerID === `containerd://${id}`)
}
