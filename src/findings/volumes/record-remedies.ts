// What a person does about a vol_data.json that the kubelet cannot use.
import {kubeletMounts} from '../../kubelet/traces/kubelet-mounts.ts'
import {volumeRecord} from '../../kubelet/traces/vol-record.ts'
import {checkAgain} from '../check-again.ts'
import type {DetectContext} from '../detector.ts'
import type {Remedy} from '../finding.ts'
import {unmountRemedies} from '../leftovers/unmounting.ts'
import {shellWord} from '../shell-word.ts'
import type {BrokenRecord} from './broken-records.ts'
import type {RecordStanding} from './record-standing.ts'
import {type NamedVolume, volumeNames} from './volume-names.ts'

const again = checkAgain('look again in two minutes: it may be between two steps')

export function recordRemedies(context: DetectContext, record: BrokenRecord, {verdict, podUid}: RecordStanding): Remedy[] {
  if (verdict !== 'stuck') return [again]
  const written = rewrite(context, record)
  if (record.kind !== 'pod' || podUid !== undefined) return written
  // Nobody waits for the volume: the driver is owed a call, but the directory can go without it.
  const mounts = kubeletMounts(context.snapshot)
  const path = shellWord(`${context.snapshot.kubeletRoot}/${record.path}`)
  const remove: Remedy = {
    command: `rm -f ${path}`,
    why: 'once nothing is mounted below the directory, the kubelet removes what is left of it within seconds',
    loses: null,
  }
  return [...written, ...(mounts === undefined ? [] : unmountRemedies(mounts, record.mounts ?? [])), remove]
}

/** What names the driver and the handle of a volume whose own record does not. */
export function namedElsewhere(context: DetectContext, record: BrokenRecord): NamedVolume | undefined {
  const names = volumeNames(context)
  if (record.kind === 'staging') return names.byStagingFolder(record.folder)
  return record.specName === undefined ? undefined : names.bySpecName(record.specName, record.podUids[0])
}

function rewrite(context: DetectContext, record: BrokenRecord): Remedy[] {
  const {snapshot} = context
  const path = shellWord(`${snapshot.kubeletRoot}/${record.path}`)
  const loses = record.missing ? null : 'what the file holds now'
  const named = namedElsewhere(context, record)
  const specName = record.specName ?? ''
  // The attachment's name is made of the node's.
  if (named !== undefined && (snapshot.node !== '' || record.kind === 'staging')) {
    const json = volumeRecord(record.kind, {...named, specName, node: snapshot.node})
    const why = `${named.source} names the driver and the handle; the kubelet reads the file at its next try, within 2m 2s`
    return [{command: `printf '%s\\n' ${shellWord(json)} > ${path}`, why, loses}]
  }
  const template = volumeRecord(record.kind, {driver: 'DRIVER', handle: 'HANDLE', specName, node: 'NODE'}).replace(
    /csi-[0-9a-f]{64}/,
    'csi-SHA256',
  )
  const pv = record.specName === undefined ? '' : ` ${shellWord(record.specName)}`
  return [
    {
      command: `kubectl get pv${pv} -o jsonpath='{.spec.csi.driver}{" "}{.spec.csi.volumeHandle}{"\\n"}'`,
      why: `with these two, write ${path} back as one line: ${template}${record.kind === 'staging' ? '' : ', where SHA256 is that of the handle, the driver and the node in one'}`,
      loses,
    },
  ]
}
