// What a path is to the kubelet, and what was seen there.
import {belowRoot, onHost} from '../../node/below-root.ts'
import {known} from '../../node/reading.ts'
import type {DetectContext} from '../detector.ts'
import type {Evidence} from '../finding.ts'
import {podName, podsHere} from '../pods/pods-here.ts'
import {volumeAt} from '../volumes/volume-paths.ts'

export function evidenceAt({snapshot}: DetectContext, path: string, below: string | undefined): readonly Evidence[] {
  const {readings} = snapshot
  const entry = below === undefined ? undefined : known(readings['disk.entries'])?.find((each) => each.path === below)
  const mounts = (known(readings['kernel.mounts']) ?? []).filter(
    ({mountPoint}) => belowRoot(snapshot)(mountPoint) === below && below !== undefined,
  )
  const driver = (known(readings['csi.drivers']) ?? []).find(({socket}) => socket === path)
  const registration = (known(readings['csi.registrations']) ?? []).find(({socket}) => socket === path)
  return [
    ...(entry === undefined
      ? []
      : [
          {
            source: 'disk.entries',
            fact: `it is ${entry.type === 'other' ? 'neither file nor directory' : `a ${entry.type === 'block' ? 'block device' : entry.type}`}`,
          },
        ]),
    ...mounts.map(({fsType, source, device}) => ({source: 'kernel.mounts', fact: `${fsType} ${source} (${device}) is mounted there`})),
    ...(driver === undefined ? [] : [{source: 'csi.drivers', fact: answered(driver.name, driver.answer.state)}]),
    ...(registration === undefined ? [] : [{source: 'csi.registrations', fact: answered(registration.name, registration.answer.state)}]),
  ]
}

function answered(name: string | undefined, state: string): string {
  return name === undefined ? `its socket: ${state}` : `the socket of ${name}: ${state}`
}

/** A predicate: 'belongs to pv1 of d.example of default/web-0'. @param below the path below the root, undefined elsewhere. */
export function whatItIs(context: DetectContext, below: string | undefined, there: boolean): string {
  const {snapshot} = context
  const absent = there || known(snapshot.readings['disk.entries']) === undefined ? '' : ' and is not there'
  if (below === undefined) return `lies outside of the kubelet's root${there ? ', and is a socket of a driver' : ''}`
  if (below === '') return "is the kubelet's root"
  const volume = volumeAt(snapshot, below)
  const uid = podOfPath(context, below)
  const pods = podsHere(context)
  const whose = uid === undefined ? '' : ` of ${podName(pods, uid)}${pods.gone(uid) ? ', which is gone' : ''}`
  if (volume !== undefined) {
    const name = volume.specName ?? (volume.handle === undefined ? 'a volume' : `volume ${volume.handle}`)
    const by = volume.driver === undefined ? '' : ` of ${volume.driver}`
    const role = below.startsWith('plugins/') && volume.podUid === undefined ? 'is where' : 'belongs to'
    return role === 'is where' ? `is where ${name}${by} is staged${absent}` : `belongs to ${name}${by}${whose}${absent}`
  }
  if (uid !== undefined) return `belongs to the directory${whose}${absent}`
  return `lies below the kubelet's root, in ${onHost(snapshot, below.split('/')[0] ?? '')}${absent}`
}

/** The UID of the pod that the path belongs to. */
export function podOfPath({snapshot}: DetectContext, below: string): string | undefined {
  return volumeAt(snapshot, below)?.podUid ?? /^pods\/([^/]+)/.exec(below)?.[1]
}
