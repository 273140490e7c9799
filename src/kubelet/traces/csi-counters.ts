// The kubelet's counters of CSI calls (csi_operations_seconds, 1.21 and later). They count calls that ended, over all volumes of a driver and
// since the kubelet's start: a single number says nothing of one volume, only a pair that does not balance says that something is left.
import type {MetricSample} from '../../node/metrics.ts'
import type {CsiMethod} from './csi-call.ts'

export interface CallPair {
  readonly done: number
  readonly undone: number
}

const inverse = {NodeStageVolume: 'NodeUnstageVolume', NodePublishVolume: 'NodeUnpublishVolume'} as const satisfies Partial<
  Record<CsiMethod, CsiMethod>
>

/** Calls answered OK and their inverse answered OK; undefined when there are no such counters. */
export function callPair(samples: readonly MetricSample[], driver: string, method: keyof typeof inverse): CallPair | undefined {
  const ok = (wanted: CsiMethod) =>
    samples
      .filter(
        ({name, labels}) =>
          name === 'csi_operations_seconds_count' &&
          labels.driver_name === driver &&
          labels.grpc_status_code === 'OK' &&
          labels.method_name === `/csi.v1.Node/${wanted}`,
      )
      .reduce((sum, sample) => sum + sample.value, 0)
  const pair = {done: ok(method), undone: ok(inverse[method])}
  return pair.done === 0 && pair.undone === 0 ? undefined : pair
}
