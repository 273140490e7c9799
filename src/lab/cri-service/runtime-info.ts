// What the runtime says of itself. Source: containerd's internal/cri/server/{version,status,runtime_config,update_runtime_config}.go
import type {ServiceImpl} from '@connectrpc/connect'
import {CgroupDriver, type RuntimeService} from '../../wire/gen/cri_pb.ts'

type Info = Pick<ServiceImpl<typeof RuntimeService>, 'version' | 'status' | 'runtimeConfig' | 'updateRuntimeConfig'>

/** Of the runtime, not of kubelimbo: kubelets and crictl only print it. */
const runtimeVersion = '1.0.0'

/** @param api under which the client asks */
export function runtimeInfo(api: 'v1' | 'v1alpha2'): Info {
  return {
    version: () => ({version: '0.1.0', runtimeName: 'kubelimbo', runtimeVersion, runtimeApiVersion: api}),
    status: ({verbose}) => ({
      status: {
        conditions: [
          {type: 'RuntimeReady', status: true},
          {type: 'NetworkReady', status: true},
        ],
      },
      // The default one, which has none of the kernel's features.
      runtimeHandlers: [{name: '', features: {}}],
      features: {},
      info: verbose ? {config: JSON.stringify({cgroupDriver: 'cgroupfs', streaming: false, processes: 'simulated'})} : {},
    }),
    // It makes no cgroups; a kubelet that asks needs one of the two.
    runtimeConfig: () => ({linux: {cgroupDriver: CgroupDriver.CGROUPFS}}),
    // The pods' network is its own affair, so a pod CIDR changes nothing.
    updateRuntimeConfig: () => ({}),
  }
}
