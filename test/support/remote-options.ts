// What the remote ports of a test stand on.
import {join} from 'node:path'
import {systemClock} from '../../src/base/clock.ts'
import {type ScaledClock, scaledClock} from '../../src/base/scaled-clock.ts'
import {pathMap} from '../../src/lab/disk/path-map.ts'
import {podLogs} from '../../src/lab/remote/pod-logs.ts'
import {openRemoteCri, type RemoteCri} from '../../src/lab/remote/remote-cri.ts'

export interface RemoteOptions {
  readonly folder: string
  readonly scale?: number
  readonly clock?: ScaledClock
}

export async function remoteCriOf({folder, scale = 1, clock = scaledClock(systemClock, scale)}: RemoteOptions): Promise<RemoteCri> {
  return openRemoteCri({
    path: join(folder, 'cri.sock'),
    clock,
    logs: podLogs(join(folder, 'logs')),
    cgroupParent: '/kubelet',
    realPath: pathMap(join(folder, 'root')).toReal,
    signal: new AbortController().signal,
  })
}
