// The lab's node as an object, for a kubelet that does not register one: the model has no node status.
import {formatInstant} from '../../base/instant.ts'
import type {JsonObject} from './json.ts'

export function labNode(name: string, kubeletVersion: string, now: number): JsonObject {
  const second = formatInstant(Math.floor(now / 1000) * 1000)
  const size = {cpu: '2', memory: '4Gi', 'ephemeral-storage': '10Gi', pods: '110'}
  return {
    metadata: {name, labels: {'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux'}},
    spec: {},
    status: {
      capacity: size,
      allocatable: size,
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'KubeletReady',
          message: 'kubelet is posting ready status',
          lastHeartbeatTime: second,
          lastTransitionTime: second,
        },
      ],
      addresses: [
        {type: 'InternalIP', address: '127.0.0.1'},
        {type: 'Hostname', address: name},
      ],
      nodeInfo: {
        kubeletVersion,
        kubeProxyVersion: '',
        containerRuntimeVersion: 'lab://1',
        osImage: 'kubelimbo lab',
        kernelVersion: '',
        operatingSystem: 'linux',
        architecture: '',
        machineID: '',
        systemUUID: '',
        bootID: '',
      },
    },
  }
}
