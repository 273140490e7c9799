// Drivers whose processes serve FUSE mounts: to restart one is to lose them.
import type {DetectContext} from '../detector.ts'
import {mountsBelowRoot} from '../mounts/root-mounts.ts'
import {volumeAt} from '../volumes/volume-paths.ts'

export function servesFuse(driver: string, {snapshot}: DetectContext): boolean {
  return mountsBelowRoot(snapshot).some(({path, mount}) => isFuse(mount.fsType) && volumeAt(snapshot, path)?.driver === driver)
}

export function isFuse(fsType: string): boolean {
  return fsType === 'fuse' || fsType.startsWith('fuse.')
}
