// The kubelet's metrics, as far as anybody asks for those of the model. Upstream: kubelet/metrics/metrics.go, volumemanager/metrics/metrics.go,
// component-base/metrics/version

import type {SeenVolume, SeenVolumes} from '../../kubelet/volumes/seen-volumes.ts'
import type {JsonObject} from '../api/json.ts'
import {objects} from '../api/json.ts'
import {type Gauge, gaugeText} from './exposition.ts'

export interface SeenByMetrics {
  /** Of the profile: '1.26.5' */
  readonly version: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly volumes: SeenVolumes
  readonly running: readonly JsonObject[]
}

export function kubeletMetricsText(seen: SeenByMetrics): string {
  return gauges(seen).map(gaugeText).join('')
}

function gauges({version, startedAt, volumes, running}: SeenByMetrics): readonly Gauge[] {
  const [major = '', minor = ''] = version.split('.')
  const build = {major, minor, git_version: `v${version}`, platform: 'linux/amd64'}
  const containers = running.reduce((sum, pod) => sum + objects(pod, 'spec', 'containers').length, 0)
  return [
    {
      name: 'kubernetes_build_info',
      help: "A metric with a constant '1' value labeled by major, minor, git version and platform from which Kubernetes was built.",
      samples: [{labels: build, value: 1}],
    },
    {
      name: 'process_start_time_seconds',
      help: 'Start time of the process since unix epoch in seconds.',
      samples: [{value: startedAt / 1000}],
    },
    {name: 'kubelet_running_pods', help: 'Number of pods that have a running pod sandbox', samples: [{value: running.length}]},
    {
      name: 'kubelet_running_containers',
      help: 'Number of containers currently running',
      samples: [{labels: {container_state: 'running'}, value: containers}],
    },
    {
      name: 'volume_manager_total_volumes',
      help: 'Number of volumes in Volume Manager',
      samples: [...perPlugin('actual_state_of_world', volumes.mounted), ...perPlugin('desired_state_of_world', volumes.desired)],
    },
  ]
}

const perPlugin = (state: string, volumes: readonly SeenVolume[]): Gauge['samples'] =>
  [...Map.groupBy(volumes, ({driver}) => driver)].map(([driver, own]) => ({
    labels: {plugin_name: `kubernetes.io/csi:${driver}`, state},
    value: own.length,
  }))
