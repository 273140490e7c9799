// Flags that commands share, and the plain requests that verbs take. Names and letters are crictl's where crictl has them.
import {boolean, integer, option, string} from '@oclif/core/flags'
import {parseDuration} from '../base/duration.ts'
import {UserError} from '../base/errors.ts'
import type {CheckRequest} from '../check.ts'
import type {DiffRequest} from '../diff.ts'
import type {DoctorRequest} from '../doctor.ts'
import {type Severity, severities} from '../findings/finding.ts'
import type {ListRequest} from '../node/list-request.ts'
import type {NodeRequest} from '../node/node-request.ts'
import type {RuntimeRequest} from '../node/runtime-source.ts'
import type {SnapshotRequest} from '../node/snapshot-request.ts'
import {checkOutputs} from '../render/check-output.ts'
import type {ListStyle} from '../render/list-style.ts'
import type {VolumesRequest} from '../volumes.ts'
import type {WhyRequest} from '../why.ts'

export const runtimeFlags = {
  'runtime-endpoint': string({
    char: 'r',
    helpValue: 'ENDPOINT',
    description: 'socket of the container runtime, such as unix:///run/containerd/containerd.sock',
  }),
  config: string({char: 'c', helpValue: 'FILE', description: "crictl's configuration file (else $CRI_CONFIG_FILE, else /etc/crictl.yaml)"}),
  timeout: string({char: 't', helpValue: '2s', description: 'how long a socket may take to accept us; 0: the default'}),
  deadline: string({default: '30s', helpValue: '30s', description: 'how long the whole command may take'}),
}

export const outputFlags = {
  output: option({char: 'o', options: ['table', 'json', 'yaml'] as const, default: 'table', description: 'format'})(),
  json: boolean({description: 'the same as -o json, whatever -o says'}),
}

export const checkOutputFlags = {
  ...outputFlags,
  output: option({char: 'o', options: checkOutputs, default: 'table', description: 'format'})(),
}

const nodeFlags = {
  'kubelet-root': string({helpValue: 'DIR', description: "the kubelet's root directory (else its --root-dir, else the usual places)"}),
  'kubelet-url': string({helpValue: 'URL', description: "the kubelet's HTTP server, such as https://127.0.0.1:10250"}),
  kubeconfig: string({helpValue: 'FILE', description: "who to be (else $KUBECONFIG, else this pod's account, else the kubelet's own)"}),
  'kubelet-log': string({helpValue: 'FILE', description: "a file with the kubelet's log (else the journal)"}),
  'host-root': string({helpValue: 'DIR', description: "where the node's root is mounted, when this runs in a container"}),
  mountinfo: string({helpValue: 'FILE', description: "a file with the kubelet's mount table (else that of its process)"}),
}

export const doctorFlags = {...runtimeFlags, ...nodeFlags}

/** The bundles are arguments. */
export const diffFlags = {...runtimeFlags, ...nodeFlags}

/** For commands that look at a whole node and have nothing to say about ages. */
export const snapshotFlags = {
  ...runtimeFlags,
  ...nodeFlags,
  from: string({helpValue: 'BUNDLE', exclusive: ['runtime-endpoint'], description: 'read a bundle instead of this node'}),
}

const sourceFlags = {
  ...snapshotFlags,
  now: string({helpValue: 'MOMENT', description: 'count ages to this moment, such as 2026-11-30T03:11:04Z'}),
  profile: string({helpValue: 'VERSION', description: 'judge as this kubelet would act: 1.17.3, 1.18.2, 1.21.2, 1.26.5 or 1.36.2'}),
}

export const checkFlags = {
  ...sourceFlags,
  'fail-on': option({options: severities, default: 'warning', description: 'the mildest severity that makes the exit code 1'})(),
  baseline: string({helpValue: 'FILE', description: 'an earlier report (-o json or yaml): what was in it does not make the exit code 1'}),
  once: boolean({description: 'believe the first look: do not look again at what may be on its way'}),
}

export const whyFlags = sourceFlags

export const volumesFlags = {
  ...sourceFlags,
  driver: string({helpValue: 'NAME', description: 'only of this driver'}),
  pod: string({helpValue: 'NAMESPACE/NAME', description: 'only of this pod'}),
}

export const listFlags = {
  ...sourceFlags,
  ...outputFlags,
  id: string({helpValue: 'ID', description: 'only this id; its beginning is enough'}),
  name: string({helpValue: 'REGEXP', description: 'only names that match'}),
  namespace: string({helpValue: 'REGEXP', description: 'only namespaces that match'}),
  label: string({helpValue: 'KEY=VALUE', multiple: true, multipleNonGreedy: true, description: 'only with this label; may be repeated'}),
  state: string({char: 's', helpValue: 'STATE', description: 'only in this state'}),
  latest: boolean({char: 'l', description: 'only the newest one'}),
  last: integer({char: 'n', helpValue: 'N', min: 0, description: 'only the N newest ones; 0: all'}),
  quiet: boolean({char: 'q', description: 'ids only'}),
  verbose: boolean({char: 'v', description: 'a paragraph each, with labels and annotations'}),
  'no-trunc': boolean({description: 'ids and digests in full'}),
}

interface RuntimeValues {
  readonly 'runtime-endpoint'?: string | undefined
  readonly config?: string | undefined
  readonly timeout?: string | undefined
}

type NodeValues = {readonly [Name in keyof typeof nodeFlags]?: string | undefined}

interface ListValues extends RuntimeValues, NodeValues {
  readonly id?: string | undefined
  readonly name?: string | undefined
  readonly namespace?: string | undefined
  readonly label?: readonly string[] | undefined
  readonly state?: string | undefined
  readonly latest: boolean
  readonly last?: number | undefined
  readonly from?: string | undefined
  readonly now?: string | undefined
  readonly profile?: string | undefined
}

interface StyleValues {
  readonly output: ListStyle['output']
  readonly json: boolean
  readonly quiet: boolean
  readonly verbose: boolean
  readonly 'no-trunc': boolean
}

/** @throws UserError */
export function runtimeRequest({'runtime-endpoint': runtimeEndpoint, config, timeout}: RuntimeValues): RuntimeRequest {
  const ms = timeout === undefined ? 0 : parseDuration(timeout, '--timeout')
  // As with crictl: 0 is the default, and less than a second makes no sense.
  return given({runtimeEndpoint, config, connectTimeoutMs: ms === 0 ? undefined : Math.max(1000, ms)})
}

function nodeRequest(flags: NodeValues): NodeRequest {
  const {
    'kubelet-root': kubeletRoot,
    'kubelet-url': kubeletUrl,
    kubeconfig,
    'kubelet-log': kubeletLog,
    'host-root': hostRoot,
    mountinfo,
  } = flags
  return given({kubeletRoot, kubeletUrl, kubeconfig, kubeletLog, hostRoot, mountinfo})
}

/** @throws UserError */
export function listRequest(flags: ListValues): ListRequest {
  const {id, name, namespace, state, last, from, now, profile} = flags
  return {
    ...runtimeRequest(flags),
    ...nodeRequest(flags),
    ...given({id, name, namespace, state, last, from, now, profile}),
    labels: flags.label ?? [],
    latest: flags.latest,
  }
}

interface SnapshotValues extends RuntimeValues, NodeValues {
  readonly from?: string | undefined
  readonly deadline: string
}

interface CheckValues extends SnapshotValues {
  readonly now?: string | undefined
  readonly profile?: string | undefined
  readonly 'fail-on': Severity
  readonly baseline?: string | undefined
  readonly once: boolean
}

/** @throws UserError */
export function snapshotRequest(flags: SnapshotValues): SnapshotRequest {
  return {
    ...runtimeRequest(flags),
    ...nodeRequest(flags),
    ...given({from: flags.from}),
    deadlineMs: parseDuration(flags.deadline, '--deadline'),
  }
}

/** @throws UserError */
export function checkRequest(flags: CheckValues, tool: string): CheckRequest {
  const {now, profile, 'fail-on': failOn, baseline, once} = flags
  return {...snapshotRequest(flags), ...given({now, profile, baseline}), failOn, once, tool}
}

interface WhyValues extends SnapshotValues {
  readonly now?: string | undefined
  readonly profile?: string | undefined
}

/** @throws UserError */
export function whyRequest(flags: WhyValues, words: readonly string[], tool: string): WhyRequest {
  const {now, profile} = flags
  return {...snapshotRequest(flags), ...given({now, profile}), words, tool}
}

interface VolumesValues extends SnapshotValues {
  readonly now?: string | undefined
  readonly profile?: string | undefined
  readonly driver?: string | undefined
  readonly pod?: string | undefined
}

/** @throws UserError */
export function volumesRequest(flags: VolumesValues, tool: string): VolumesRequest {
  const {now, profile, driver, pod} = flags
  return {...snapshotRequest(flags), ...given({now, profile, driver, pod}), tool}
}

/** @throws UserError */
export function doctorRequest(flags: Omit<SnapshotValues, 'from'>, tool: string): DoctorRequest {
  return {...snapshotRequest(flags), tool}
}

/** @throws UserError */
export function diffRequest(
  flags: Omit<SnapshotValues, 'from'>,
  {a, b}: {readonly a: string; readonly b?: string | undefined},
  tool: string,
): DiffRequest {
  const ofNode = ([...Object.keys(nodeFlags), 'runtime-endpoint'] as const).find((name) => flags[name as keyof typeof flags] !== undefined)
  if (b !== undefined && ofNode !== undefined)
    throw new UserError(`Cannot use --${ofNode} as this node must be one of the two: both are bundles`)
  return {...snapshotRequest(flags), ...given({b}), a, tool}
}

export function outputOf<Output extends string>({output, json}: {output: Output; json: boolean}): Output | 'json' {
  return json ? 'json' : output
}

export function listStyle({output, json, quiet, verbose, 'no-trunc': noTrunc}: StyleValues): ListStyle {
  return {output: outputOf({output, json}), quiet, verbose, noTrunc}
}

/** Without what nobody gave. */
export function given<T extends object>(values: T): {[K in keyof T]?: Exclude<T[K], undefined>} {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
