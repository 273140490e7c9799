// The calls that there are, by their service: of one that does not exist, `never` would hold for ever.
import type {Service} from '../../timeline/event.ts'

export const methods: Readonly<Record<Service, readonly string[]>> = {
  api: ['GET pod', 'PATCH pod/status', 'DELETE pod', 'GET persistentvolumeclaim'],
  cri: [
    'RunPodSandbox',
    'StopPodSandbox',
    'RemovePodSandbox',
    'PodSandboxStatus',
    'ListPodSandbox',
    'CreateContainer',
    'StartContainer',
    'StopContainer',
    'RemoveContainer',
    'ListContainers',
    'ContainerStatus',
    'ExecSync',
    'ImageStatus',
    'PullImage',
  ],
  csi: ['NodeStageVolume', 'NodeUnstageVolume', 'NodePublishVolume', 'NodeUnpublishVolume', 'NodeGetCapabilities'],
}
