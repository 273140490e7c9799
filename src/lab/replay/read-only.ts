// The calls that change nothing: all others are refused, recorded or not. A method that is newer than we are counts as one that changes something.

const cri = [
  'Version',
  'Status',
  'RuntimeConfig',
  'ListPodSandbox',
  'PodSandboxStatus',
  'ListContainers',
  'ContainerStatus',
  'ContainerStats',
  'ListContainerStats',
  'PodSandboxStats',
  'ListPodSandboxStats',
  'ListMetricDescriptors',
  'ListPodSandboxMetrics',
  'GetContainerEvents',
  'StreamPodSandboxes',
  'StreamContainers',
  'StreamContainerStats',
  'StreamPodSandboxStats',
  'StreamPodSandboxMetrics',
  'ListImages',
  'ImageStatus',
  'ImageFsInfo',
  'StreamImages',
]

const csi = [
  'GetPluginInfo',
  'GetPluginCapabilities',
  'Probe',
  'NodeGetInfo',
  'NodeGetCapabilities',
  'NodeGetVolumeStats',
  'ControllerGetCapabilities',
  'ControllerGetVolume',
  'ValidateVolumeCapabilities',
  'ListVolumes',
  'ListSnapshots',
  'GetSnapshot',
  'GetCapacity',
]

export const readOnlyMethods: ReadonlySet<string> = new Set([...cri, ...csi, 'GetInfo'])
