// What the CSI plugin's steps stand on. Upstream: volume/csi/csi_plugin.go
import type {Disk} from '../disk.ts'
import type {KubeletPorts} from '../ports.ts'
import type {Profile} from '../profiles.ts'
import type {CsiClients} from './csi-client.ts'
import {isMounted} from './disk-steps.ts'

export interface CsiHost {
  readonly profile: Profile
  readonly disk: Disk
  readonly clients: CsiClients
  readonly nodeName: string
  readonly log: KubeletPorts['log']
}

/** What is mounted where a volume is to be staged or published was taken for the volume. Upstream: MountDevice and SetUpAt, both up to 1.19 */
export function alreadyMounted({profile, disk}: CsiHost): (path: string) => Promise<boolean> {
  const trusted = !profile.switches.has('mounts-not-trusted')
  return async (path) => trusted && (await isMounted(disk, path))
}

export const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
