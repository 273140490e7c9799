// CSI as the model calls it: the node service's methods, with the fields of their messages that it reads or writes.
import type {Methods} from './port.ts'

export type VolumeMode = 'Filesystem' | 'Block'

/** What a driver is told besides of how a volume is used. Absent: what the API has by default. */
export interface VolumeUse {
  readonly accessMode?: 'ReadWriteOnce' | 'ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOncePod'
  readonly fsType?: string
  readonly volumeContext?: Readonly<Record<string, string>>
}

export interface CsiMethods extends Methods {
  NodeGetCapabilities: {request: object; response: {capabilities: readonly NodeCapability[]}}
  NodeStageVolume: {request: VolumeUse & {volumeId: string; stagingTargetPath: string; volumeMode: VolumeMode}; response: unknown}
  NodeUnstageVolume: {request: {volumeId: string; stagingTargetPath: string}; response: unknown}
  NodePublishVolume: {
    request: VolumeUse & {volumeId: string; stagingTargetPath?: string; targetPath: string; volumeMode: VolumeMode; readonly: boolean}
    response: unknown
  }
  NodeUnpublishVolume: {request: {volumeId: string; targetPath: string}; response: unknown}
}

export type NodeCapability = 'STAGE_UNSTAGE_VOLUME' | 'GET_VOLUME_STATS' | 'EXPAND_VOLUME'
