// A pod's end, step by step, as kubelet 1.26.5 goes it: the containers, the volumes, the object, the directory. What fails is tried again.
import type {Containerd} from './containerd.ts'
import type {KubeletParts} from './stand-in-kubelet-filesystem.ts'
import {graceSeconds, type PodObject} from './stand-in-kubelet-pods.ts'
import {removeFromRuntime, stopInRuntime} from './stand-in-kubelet-runtime.ts'
import {podStatus} from './stand-in-kubelet-status.ts'
import {type RunningPod, removePodDirs, unmountVolume} from './stand-in-kubelet-sync.ts'
import {timestamp} from './timestamp.ts'

export interface DeleteOptions {
  /** As a kubelet does that is restarted between NodeUnpublish and NodeUnstage (kubernetes#85476). */
  readonly forgetStaging?: boolean
  /** As a kubelet whose state is stale: all is done, and it never asks the API server to remove the object. */
  readonly forgetObject?: boolean
  /** How long the runtime may take to stop a container; a kubelet gives it two minutes and the grace. */
  readonly patience?: string
}

/** @throws when it could not be done. */
export type DeleteStep = (options: DeleteOptions) => Promise<void>

export interface Leaving {
  readonly parts: KubeletParts
  readonly rig: Containerd
  readonly pod: RunningPod
  readonly pods: Map<string, RunningPod>
  readonly objects: Map<string, PodObject>
}

export function stepsOut({parts, rig, pod, pods, objects}: Leaving): DeleteStep[] {
  const {uid, started, volume} = pod
  const {log, root} = parts
  const object = () => {
    const found = objects.get(uid)
    if (found === undefined) throw new Error(`there is no pod ${uid}`)
    return found
  }
  const nameOf = ({metadata}: PodObject) => `${metadata.namespace}/${metadata.name}`
  const heard = (source: string, what: string) => log.info(source, `"SyncLoop ${what}" source="api" pods="[${nameOf(object())}]"`)
  const marked = (seconds: number) => {
    const {metadata, ...rest} = object()
    const deletionTimestamp = timestamp(Date.now() + seconds * 1000)
    objects.set(uid, {...rest, metadata: {...metadata, deletionTimestamp, deletionGracePeriodSeconds: seconds}})
    heard('kubelet.go:2235', 'DELETE')
  }
  return [
    async () => marked(graceSeconds),
    async ({patience = '30s'}) => {
      const end = await stopInRuntime(rig, started, patience)
      const {status, ...rest} = object()
      const {restartCount: restarts = 0} = status.containerStatuses[0] ?? {}
      objects.set(uid, {...rest, status: podStatus(status.startTime, {seen: started.container, end, restarts})})
      log.info('kubelet.go:1975', `"Pod termination stopped all running containers" pod="${nameOf(object())}" podUID=${uid}`)
      await removeFromRuntime(rig, started)
    },
    async ({forgetStaging = false}) => {
      if (volume !== undefined) await unmountVolume(parts, volume, forgetStaging)
      pods.set(uid, {...pod, volume: undefined})
      log.info('kubelet.go:1999', `"Pod termination unmounted volumes" pod="${nameOf(object())}" podUID=${uid}`)
      log.info('kubelet.go:2027', `"Pod is terminated and will need no more status updates" pod="${nameOf(object())}" podUID=${uid}`)
    },
    async ({forgetObject = false}) => {
      if (forgetObject) throw new Error('the kubelet has forgotten to have the object removed')
      marked(0)
    },
    async () => {
      const {finalizers = []} = object().metadata
      if (finalizers.length > 0) throw new Error(`the API server waits for ${finalizers.join(', ')}`)
      log.info('status_manager.go:741', `"Pod fully terminated and removed from etcd" pod="${nameOf(object())}"`)
      heard('kubelet.go:2229', 'REMOVE')
      objects.delete(uid)
    },
    () => removePodDirs(root, uid),
  ]
}
