// Where the runtime writes what containers say. The kubelet names the files and removes them with the containers.
// Upstream: kuberuntime/helpers.go, BuildPodLogsDirectory, buildContainerLogsPath; kuberuntime_container.go, removeContainerLog; kuberuntime_gc.go
import {mkdir, rm} from 'node:fs/promises'
import {dirname, join} from 'node:path'

interface PodName {
  readonly namespace: string
  readonly name: string
  readonly uid: string
}

interface ContainerName {
  readonly name: string
  readonly attempt: number
}

export interface PodLogs {
  directory(pod: PodName): string
  /** Below the pod's directory. */
  path(container: ContainerName): string
  make(pod: PodName, container: ContainerName): Promise<void>
  removeContainer(pod: PodName, container: ContainerName): Promise<void>
  removePod(pod: PodName): Promise<void>
}

/** @param root upstream: /var/log/pods */
export function podLogs(root: string): PodLogs {
  const directory = ({namespace, name, uid}: PodName) => join(root, `${namespace}_${name}_${uid}`)
  const path = ({name, attempt}: ContainerName) => `${name}/${attempt}.log`
  return {
    directory,
    path,
    make: async (pod, container) => void (await mkdir(dirname(join(directory(pod), path(container))), {recursive: true})),
    removeContainer: (pod, container) => rm(join(directory(pod), path(container)), {force: true}),
    removePod: (pod) => rm(directory(pod), {recursive: true, force: true}),
  }
}
