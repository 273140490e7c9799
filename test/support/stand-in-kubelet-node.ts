// What a kubelet says of its node: the Node object, and the gauges of /metrics.
import type {Gauge} from './stand-in-kubelet-metrics.ts'
import type {RunningPod} from './stand-in-kubelet-sync.ts'
import {nodeName, type PodVolume, uniqueNameOf} from './stand-in-kubelet-volume.ts'

const version = {git_version: 'v1.26.5', major: '1', minor: '26', go_version: 'go1.19.9', platform: 'linux/amd64'}

/** Inline volumes cannot be attached, so they are in neither list. */
export function nodeObject(volumes: readonly PodVolume[]) {
  const attachable = [...new Set(volumes.filter(({inline}) => !inline).map(uniqueNameOf))]
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {name: nodeName, uid: 'b9c1f0d3-5f0e-4f0b-9d63-4f4f1d6f9f10'},
    spec: {},
    status: {
      conditions: [{type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status'}],
      nodeInfo: {kubeletVersion: version.git_version, operatingSystem: 'linux'},
      volumesInUse: attachable,
      volumesAttached: attachable.map((name) => ({name, devicePath: ''})),
    },
  }
}

export function kubeletGauges(pods: readonly RunningPod[]): Gauge[] {
  const drivers = Map.groupBy(
    pods.flatMap(({volume}) => volume ?? []),
    ({driver}) => driver,
  )
  const states = ['actual_state_of_world', 'desired_state_of_world']
  return [
    {name: 'kubernetes_build_info', help: 'Kubernetes version and build information.', labels: version, value: 1},
    {name: 'kubelet_pleg_last_seen_seconds', help: 'Timestamp in seconds when PLEG was last seen active.', value: Date.now() / 1000},
    {name: 'kubelet_running_pods', help: 'Number of pods that have a running pod sandbox', value: pods.length},
    ...[...drivers].flatMap(([driver, volumes]) =>
      states.map((state) => ({
        name: 'volume_manager_total_volumes',
        help: 'Number of volumes in Volume Manager',
        labels: {plugin_name: `kubernetes.io/csi:${driver}`, state},
        value: volumes.length,
      })),
    ),
  ]
}
