// Pods in trouble on a healthy node, each made by what really makes them; what ends puts the node right again.
import {randomUUID} from 'node:crypto'
import {readFile} from 'node:fs/promises'
import {fail} from '../../src/faults/fail.ts'
import {runPod, startContainer} from './crictl-pods.ts'
import {createVolume, deleteVolume} from './csi-calls.ts'
import type {HealthyNode} from './healthy-node.ts'
import type {RunningPod} from './miniature-node.ts'
import {graceSeconds} from './node-pods.ts'
import {until} from './until.ts'

export interface TroubledPod extends AsyncDisposable {
  readonly pod: RunningPod
}

export interface KilledOptions {
  /** Then somebody deletes it, and the runtime does not get to stop what is dead. */
  readonly deleted?: boolean
}

/** Its main process is killed while its shim is stopped: containerd hears of no end and goes on saying RUNNING, until the shim runs on. */
export async function podKilledBehindItsShim(node: HealthyNode, {deleted = false}: KilledOptions = {}): Promise<TroubledPod> {
  const {kubelet, containerd} = node
  const pod = await kubelet.runPod({name: 'killed-0'})
  const {pid}: {pid: number} = JSON.parse(await containerd.crictl('inspect', '-o', 'json', pod.container)).info
  const shim = Number(await statusOf(pid, 'PPid'))
  process.kill(shim, 'SIGSTOP')
  // Only then, or it may still reap.
  await becomes(shim, 'T')
  process.kill(pid, 'SIGKILL')
  await becomes(pid, 'Z')
  if (deleted) await kubelet.markDeleted(pod)
  const heal = async () => {
    process.kill(shim, 'SIGCONT')
    await kubelet.deletePod(pod)
  }
  return {pod, [Symbol.asyncDispose]: heal}
}

/** It is deleted after its driver was killed, so that its volume cannot be unmounted. */
export async function podOfDeadDriver(node: HealthyNode): Promise<TroubledPod> {
  const {kubelet, driver} = node
  const handle = await createVolume(driver.socket, randomUUID(), false)
  const pod = await kubelet.runPod({name: 'stuck-0', volume: {kind: 'filesystem', pv: 'pv-stuck', driver: driver.name, handle}})
  await driver.end('SIGKILL')
  const failed = kubelet.says(/UnmountVolume\.TearDown failed .*"pv-stuck".*connection refused/)
  await kubelet.markDeleted(pod)
  await failed
  await kubelet.told(pod, ({status: {containerStatuses = []}}) => containerStatuses.every(({state}) => state.terminated !== undefined))
  const heal = async () => {
    await node.restartDriver()
    await kubelet.deletePod(pod)
    await deleteVolume(node.driver.socket, handle)
  }
  return {pod, [Symbol.asyncDispose]: heal}
}

/** It is deleted, the kubelet has done its part, and the API server waits for another controller. */
export async function podHeldByFinalizer({kubelet, driver}: HealthyNode): Promise<TroubledPod> {
  const finalizers = ['example.test/backup']
  const pod = await kubelet.runPod({name: 'held-0', volume: {kind: 'inline', driver: driver.name}, finalizers})
  await kubelet.markDeleted(pod)
  await kubelet.told(pod, ({metadata}) => metadata.deletionGracePeriodSeconds === 0)
  await kubelet.removedFromRuntime(pod)
  const heal = async () => {
    await kubelet.liftFinalizers(pod)
    await kubelet.deletePod(pod)
  }
  return {pod, [Symbol.asyncDispose]: heal}
}

/** It is deleted, nothing of it is left, and the kubelet does not get its object removed. */
export async function podForgotten({kubelet, driver}: HealthyNode): Promise<TroubledPod> {
  const pod = await kubelet.runPod({name: 'forgotten-0', volume: {kind: 'inline', driver: driver.name}})
  const match = {to: 'api', method: 'DELETE pod', pod: 'default/forgotten-0'} as const
  kubelet.faults.add({name: 'forgotten', match, fault: fail('InternalError', 'the request was lost')})
  const asked = kubelet.says(/Failed to delete status for pod/)
  await kubelet.markDeleted(pod)
  await asked
  await kubelet.removedFromRuntime(pod)
  const heal = async () => {
    kubelet.faults.remove('forgotten')
    await kubelet.deletePod(pod)
  }
  return {pod, [Symbol.asyncDispose]: heal}
}

export interface LostPod extends AsyncDisposable {
  readonly uid: string
  readonly sandbox: string
  readonly container: string
}

/** It runs as a kubelet made it, neither the kubelet nor the API server has it, and the kubelet tries in vain to have it stopped. */
export async function podNobodyKnows({containerd, kubelet}: HealthyNode): Promise<LostPod> {
  const uid = randomUUID()
  const methods = ['StopContainer', 'StopPodSandbox', 'RemoveContainer', 'RemovePodSandbox']
  for (const method of methods)
    kubelet.faults.add({name: method, match: {to: 'cri', method}, fault: fail('UNKNOWN', 'the runtime does not get it done')})
  const inVain = kubelet.says(/lost-0/)
  const sandbox = await runPod(containerd, {name: 'lost-0', uid})
  const annotations = {
    'io.kubernetes.container.hash': '6af06511',
    'io.kubernetes.container.restartCount': '0',
    'io.kubernetes.container.terminationMessagePath': '/dev/termination-log',
    'io.kubernetes.container.terminationMessagePolicy': 'File',
    'io.kubernetes.pod.terminationGracePeriod': `${graceSeconds}`,
  }
  const container = await startContainer(containerd, sandbox, {name: 'app', annotations})
  await inVain
  const remove = async () => {
    await containerd.crictl('stopp', sandbox.id)
    await containerd.crictl('rmp', sandbox.id)
    for (const method of methods) kubelet.faults.remove(method)
  }
  return {uid, sandbox: sandbox.id, container, [Symbol.asyncDispose]: remove}
}

/** A field of proc_pid_status(5): its first word. */
async function statusOf(pid: number, field: 'PPid' | 'State'): Promise<string | undefined> {
  const lines = (await readFile(`/proc/${pid}/status`, 'utf8')).split('\n')
  return lines.find((line) => line.startsWith(`${field}:`))?.split(/\s+/)[1]
}

async function becomes(pid: number, state: 'T' | 'Z'): Promise<void> {
  await until(async () => {
    const now = await statusOf(pid, 'State')
    if (now !== state) throw new Error(`the process ${pid} is in state ${now}, not ${state}`)
  })
}
