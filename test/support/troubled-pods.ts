// Pods in trouble on a healthy node, each made by hand; what ends puts the node right again.
import {randomUUID} from 'node:crypto'
import {readFile} from 'node:fs/promises'
import {createVolume, deleteVolume} from './csi-calls.ts'
import type {HealthyNode} from './healthy-node.ts'
import type {StandInKubelet} from './stand-in-kubelet.ts'
import type {DeleteOptions} from './stand-in-kubelet-delete.ts'
import {podObject} from './stand-in-kubelet-pods.ts'
import {removeFromRuntime, type Started, startInRuntime} from './stand-in-kubelet-runtime.ts'
import type {RunningPod} from './stand-in-kubelet-sync.ts'
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
  const {id} = pod.started.container
  const inspect = async () => JSON.parse(await containerd.crictl('inspect', '-o', 'json', id))
  const {pid}: {pid: number} = (await inspect()).info
  const shim = Number(await statusOf(pid, 'PPid'))
  process.kill(shim, 'SIGSTOP')
  // Only then, or it may still reap.
  await becomes(shim, 'T')
  process.kill(pid, 'SIGKILL')
  await becomes(pid, 'Z')
  if (deleted) await deleteInVain(kubelet, pod.uid, /deadline ?exceeded/i, {patience: '2s'})
  const heal = async () => {
    process.kill(shim, 'SIGCONT')
    await until(async () => {
      if ((await inspect()).status.state !== 'CONTAINER_EXITED') throw new Error('the shim has not told of the end')
    })
    await kubelet.deletePod(pod.uid)
  }
  return {pod, [Symbol.asyncDispose]: heal}
}

/** It is deleted after its driver was killed, so that its volume cannot be unmounted. */
export async function podOfDeadDriver(node: HealthyNode): Promise<TroubledPod> {
  const {kubelet, driver} = node
  const handle = await createVolume(driver.socket, randomUUID(), false)
  const pod = await kubelet.runPod({name: 'stuck-0', volume: {kind: 'filesystem', pv: 'pv-stuck', driver: driver.name, handle}})
  await driver.end('SIGKILL')
  await deleteInVain(kubelet, pod.uid, /connection refused/)
  const heal = async () => {
    await node.restartDriver()
    await kubelet.deletePod(pod.uid)
    await deleteVolume(node.driver.socket, handle)
  }
  return {pod, [Symbol.asyncDispose]: heal}
}

/** It is deleted, the kubelet has done its part, and the API server waits for another controller. */
export async function podHeldByFinalizer({kubelet, driver}: HealthyNode): Promise<TroubledPod> {
  const finalizers = ['example.test/backup']
  const pod = await kubelet.runPod({name: 'held-0', volume: {kind: 'inline', driver: driver.name}, finalizers})
  await deleteInVain(kubelet, pod.uid, /the API server waits for example.test\/backup/)
  const heal = async () => {
    kubelet.liftFinalizers(pod.uid)
    await kubelet.deletePod(pod.uid)
  }
  return {pod, [Symbol.asyncDispose]: heal}
}

/** It is deleted, nothing of it is left, and the kubelet does not have its object removed. */
export async function podForgotten({kubelet, driver}: HealthyNode): Promise<TroubledPod> {
  const pod = await kubelet.runPod({name: 'forgotten-0', volume: {kind: 'inline', driver: driver.name}})
  await deleteInVain(kubelet, pod.uid, /has forgotten/, {forgetObject: true})
  return {pod, [Symbol.asyncDispose]: () => kubelet.deletePod(pod.uid)}
}

export interface LostPod extends AsyncDisposable {
  readonly uid: string
  readonly started: Started
}

/** It runs as a kubelet made it, and neither the kubelet nor the API server has it. */
export async function podNobodyKnows({containerd}: HealthyNode): Promise<LostPod> {
  const object = podObject({name: 'lost-0'})
  const started = await startInRuntime(containerd, object, {mounts: [], devices: []})
  const remove = async () => {
    await containerd.crictl('stopp', started.sandbox)
    await removeFromRuntime(containerd, started)
  }
  return {uid: object.metadata.uid, started, [Symbol.asyncDispose]: remove}
}

/** @throws when it was not in vain, or not for that reason. */
async function deleteInVain({deletePod}: StandInKubelet, uid: string, reason: RegExp, options?: DeleteOptions): Promise<void> {
  const why = await deletePod(uid, options).then(
    () => new Error(`the pod ${uid} is gone`),
    (error: Error) => error,
  )
  if (!reason.test(why.message)) throw why
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
