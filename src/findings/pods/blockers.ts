// What keeps a pod that should be gone: a finding about its containers, its volumes, their drivers, or the whole node.
import {formatDuration} from '../../base/duration.ts'
import {oncePer} from '../../base/once-per.ts'
import type {DetectContext} from '../detector.ts'
import type {Finding} from '../finding.ts'
import {longestBackOffMs} from '../uncertain/uncertain-call.ts'
import {heldVolumes} from './held-volumes.ts'

/** The nearest to the pod first: of a volume without its record and a driver that hangs, the record is what the kubelet stumbles over. */
const ofPod = ['R08', 'R01', 'V02', 'V09', 'V03', 'V10', 'V06', 'U02', 'U01', 'R02']
const ofDriver = ['C01', 'C02', 'C03']
const ofNode = ['K02', 'R01']

/** By these codes an info finding means that nothing is in anybody's way. */
const harmlessAsInfo = new Set(['V02', 'V06', 'V10', 'R02'])

export function blockerOf(uid: string, context: DetectContext, others: readonly Finding[]): Finding | undefined {
  const {byPod, byDriver, byCode} = indexOf(others)
  const own = nearest(ofPod, byPod.get(uid) ?? [])
  if (own !== undefined) return own
  const drivers = new Set(heldVolumes(context, uid).map(({driver}) => driver))
  return (
    nearest(
      ofDriver,
      [...drivers].flatMap((driver) => byDriver.get(driver) ?? []),
    ) ??
    nearest(
      ofNode,
      ofNode.flatMap((code) => (byCode.get(code) ?? []).filter(stopsTheNode)),
    )
  )
}

/** Not what is about one container of another pod, nor a call that no pod waits for. */
function stopsTheNode({severity, subject}: Finding): boolean {
  return subject.kind !== 'Container' && (severity === 'critical' || severity === 'error')
}

/** 'pv1', 'driver d.example', or what else the finding is about. */
export function blockerLabel({code, name, subject}: Finding): string {
  const {driver, path, id} = subject
  const what = subject.name ?? (driver === undefined ? (path ?? id) : `driver ${driver}`)
  return what === undefined ? `${code} ${name}` : `${code} ${name} (${what})`
}

/** What the kubelet does about a pod that this holds. */
export function nextDespite({code, next}: Finding): string {
  if (next !== undefined) return next
  if (code === 'R08')
    return 'The kubelet stops the container again and again, every 10s to 15s, and the runtime says each time that it runs.'
  if (ofNode.includes(code)) return 'Nothing before that is mended.'
  return `The kubelet tries again after a pause of up to ${formatDuration(longestBackOffMs)}, and the pod goes within seconds after it succeeds.`
}

function nearest(codes: readonly string[], findings: readonly Finding[]): Finding | undefined {
  const blocking = findings.filter(({code, severity}) => severity !== 'info' || !harmlessAsInfo.has(code))
  return codes.map((code) => blocking.find((finding) => finding.code === code)).find((finding) => finding !== undefined)
}

const indexOf = oncePer((findings: readonly Finding[]) => ({
  byPod: Map.groupBy(findings, ({subject}) => subject.podUid ?? subject.uid),
  byDriver: Map.groupBy(findings, ({subject}) => subject.driver),
  byCode: Map.groupBy(findings, ({code}) => code),
}))
