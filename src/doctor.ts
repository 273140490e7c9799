// Says what would be seen of this node from here, how, and what it takes to see the rest.
import {UserError} from './base/errors.ts'
import {type ExitCode, exitCodes} from './base/exit-codes.ts'
import {formatInstant} from './base/instant.ts'
import {adminKubeconfigs} from './node/doctor/admin-kubeconfigs.ts'
import {fileLooks} from './node/doctor/file-looks.ts'
import {kubeletTold} from './node/doctor/kubelet-told.ts'
import {rightsOf} from './node/doctor/rights.ts'
import {lookOf, type SourceLook} from './node/doctor/source-look.ts'
import type {Told} from './node/doctor/told.ts'
import {hostOf, type KubeletSources, readKubeletSources} from './node/kubelet-sources.ts'
import {runtimeSources} from './node/runtime/read-runtime.ts'
import {discoverRuntime, type Machine} from './node/runtime-source.ts'
import {type SourceName, sourceNames} from './node/snapshot.ts'
import type {SnapshotRequest} from './node/snapshot-request.ts'

export interface DoctorRequest extends SnapshotRequest {
  /** 'kubelimbo 0.1.0'. */
  readonly tool: string
}

export interface DoctorReport {
  readonly apiVersion: 'kubelimbo/v1'
  readonly kind: 'Doctor'
  readonly metadata: {readonly node: string; readonly when: string; readonly tool: string}
  readonly rights: readonly Told[]
  readonly kubelet: readonly Told[]
  readonly credentials: readonly Told[]
  readonly sources: readonly SourceLook[]
  readonly notes: readonly string[]
}

/** A kubelet or an API server that takes longer to answer is one that `check` may wait for, and this must not. */
const longestMs = 5000

/** @throws UserError for what is wrong with the request. */
export async function doctor(request: DoctorRequest, machine: Machine): Promise<{report: DoctorReport; exit: ExitCode}> {
  const {host: own, clock} = machine
  const host = await hostOf(request, own)
  const when = clock.now()
  const deadlineMs = Math.min(longestMs, request.deadlineMs * 0.9)
  const [found, runtime] = await Promise.all([
    readKubeletSources(request, {...machine, deadlineMs}),
    runtimeLooks(request, {...machine, host}),
  ])
  const {facts, credentials, pins, version} = found
  const [rights, files, admin] = await Promise.all([
    rightsOf(own, host, facts),
    fileLooks({request, own, host, facts}),
    adminKubeconfigs(host),
  ])
  const looks = new Map([...runtime, ...files, ...answerLooks(found, admin)].map((look) => [look.source, look]))
  const report: DoctorReport = {
    apiVersion: 'kubelimbo/v1',
    kind: 'Doctor',
    metadata: {node: facts.node.value, when: formatInstant(when), tool: request.tool},
    rights,
    kubelet: kubeletTold({facts, pins: request.kubeletUrl === undefined ? pins : undefined, version}),
    credentials: credentials.map(({source, found: {state, ...more}}) => ({
      name: source,
      value: state,
      why: 'by' in more ? more.by : more.why,
    })),
    sources: sourceNames.flatMap((source) => looks.get(source) ?? []),
    notes: facts.notes,
  }
  return {report, exit: report.sources.every(({seen}) => seen) ? exitCodes.clean : exitCodes.blind}
}

/** A container runtime that answers gives all that is asked of it. */
async function runtimeLooks(request: DoctorRequest, machine: Machine): Promise<readonly SourceLook[]> {
  const all = (look: Omit<SourceLook, 'source'>): readonly SourceLook[] => runtimeSources.map((source) => ({source, ...look}))
  await using discovery = await discoverRuntime(request, machine)
  const {chosen} = discovery
  if (!(chosen instanceof UserError)) return all({seen: true, why: `${chosen.endpoint} (${chosen.source})`})
  return all({seen: false, why: chosen.message, ...(chosen.hint !== undefined && {hint: chosen.hint})})
}

function answerLooks({readings, how}: KubeletSources, admin: readonly string[]): readonly SourceLook[] {
  const [first] = admin
  const better = first === undefined ? undefined : `--kubeconfig ${first} is an administrator's`
  return Object.entries(readings).map(([name, reading]) => {
    const source = name as SourceName
    return lookOf(source, reading, how[source], source === 'kubelet.log' ? undefined : better)
  })
}
