// The metrics that the runtime gives the kubelet instead of cAdvisor: those few that the lab can tell truly. Names and labels are cAdvisor's.
import type {ServiceImpl} from '@connectrpc/connect'
import type {CriContainerStatus} from '../../kubelet/cri.ts'
import type {RuntimeService} from '../../wire/gen/cri_pb.ts'
import {type MetricDescriptor, MetricType} from '../../wire/gen/cri-stats_pb.ts'
import type {CriContext} from './context.ts'
import {nanoseconds} from './nanoseconds.ts'
import {inPieces} from './pieces.ts'

type Metrics = Pick<ServiceImpl<typeof RuntimeService>, 'listMetricDescriptors' | 'listPodSandboxMetrics' | 'streamPodSandboxMetrics'>

const labelKeys = ['id', 'name', 'image']

const known: readonly (Pick<MetricDescriptor, 'name' | 'help'> & {readonly value: (row: CriContainerStatus, now: number) => number})[] = [
  {
    name: 'container_start_time_seconds',
    help: 'Start time of the container since unix epoch in seconds.',
    value: ({startedAt}) => Math.floor(startedAt / 1000),
  },
  {name: 'container_last_seen', help: 'Last time a container was seen by the runtime.', value: (_, now) => Math.floor(now / 1000)},
  {name: 'container_processes', help: 'Number of processes running inside the container.', value: () => 1},
]

export function metricsCalls({world, clock}: CriContext): Metrics {
  const all = () => {
    const now = clock.now()
    const metricsOf = (row: CriContainerStatus) =>
      known.map(({name, value}) => ({
        name,
        timestamp: nanoseconds(now),
        metricType: MetricType.GAUGE,
        labelValues: [row.id, row.metadata.name, row.image],
        value: {value: BigInt(value(row, now))},
      }))
    return world.sandboxes
      .list()
      .filter(({state}) => state === 'READY')
      .map(({id, metadata}) => ({
        podSandboxId: id,
        containerMetrics: world.containers
          .listOf(metadata.uid)
          .filter((row) => row.podSandboxId === id && row.state === 'RUNNING')
          .map((row) => ({containerId: row.id, metrics: metricsOf(row)})),
      }))
  }
  return {
    listMetricDescriptors: () => ({descriptors: known.map(({name, help}) => ({name, help, labelKeys}))}),
    listPodSandboxMetrics: () => ({podMetrics: all()}),
    streamPodSandboxMetrics: async function* () {
      for (const podSandboxMetrics of inPieces(all())) yield {podSandboxMetrics}
    },
  }
}
