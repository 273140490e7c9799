// The kubelet's calls of CSI drivers, counted and timed by how they ended. Upstream: volume/csi/csi_metrics.go, volume/util/metrics.go
import type {Clock} from '../../base/clock.ts'
import {CallFailure} from '../../kubelet/port.ts'
import type {CsiPort} from '../../kubelet/ports.ts'
import {goCode} from '../../kubelet/volumes/error-class.ts'
import {histogram} from './exposition.ts'

export interface CsiMetrics {
  /** The same port, observed. */
  readonly observed: (driver: string, port: CsiPort) => CsiPort
  text(): string
}

const buckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 25, 50, 120, 300, 600]

export function csiMetrics(clock: Clock): CsiMetrics {
  const help = 'Container Storage Interface operation duration with gRPC error code status total'
  const operations = histogram('csi_operations_seconds', help, buckets)
  return {
    observed: (driver, port) => {
      const call: CsiPort['call'] = async (method, request, options) => {
        const start = clock.now()
        let code = 'OK'
        try {
          return await port.call(method, request, options)
        } catch (error) {
          code = error instanceof CallFailure ? goCode(error.code) : 'Unknown'
          throw error
        } finally {
          const labels = {driver_name: driver, grpc_status_code: code, method_name: `/csi.v1.Node/${method}`, migrated: 'false'}
          operations.observe(labels, (clock.now() - start) / 1000)
        }
      }
      return {call}
    },
    text: operations.text,
  }
}
