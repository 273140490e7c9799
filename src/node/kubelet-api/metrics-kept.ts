// Of the kubelet's thousands of samples those that something is concluded from; the rest is the runtime's and the client library's.
import type {MetricSample} from '../metrics.ts'

const kept = /^(csi_operations_seconds|storage_operation_|volume_operation_|volume_manager_|kubelet_|process_start_time_seconds$)/

export function metricsKept(samples: readonly MetricSample[]): readonly MetricSample[] {
  return samples.filter(({name}) => kept.test(name))
}

/** '1.26.5', as kubernetes_build_info has it; before 1.21 the label was gitVersion. */
export function versionIn(samples: readonly MetricSample[]): string | undefined {
  const labels = samples.find(({name}) => name === 'kubernetes_build_info')?.labels
  const version = labels?.git_version ?? labels?.gitVersion
  return version?.replace(/^v/, '') || undefined
}
