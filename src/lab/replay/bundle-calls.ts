// What a bundle's own readings say as recorded calls: of bundles from before there were any, and of what was not asked. Those that were recorded come after
// them, so that they hold.
import {create, type DescMessage, type JsonValue, type MessageInitShape, toJson} from '@bufbuild/protobuf'
import type {DriverSocket, Registration} from '../../node/csi/sockets.ts'
import {known, type Reading} from '../../node/reading.ts'
import type {RecordedCall} from '../../node/recorded/recorded-call.ts'
import type {CallOutcome, RuntimeAnswers, RuntimeMethod} from '../../node/runtime/answers.ts'
import type {ContainerLook} from '../../node/runtime/container-look.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import * as v1 from '../../wire/gen/cri_pb.ts'
import * as csi from '../../wire/gen/csi_pb.ts'
import {PluginInfoSchema} from '../../wire/gen/registration_pb.ts'

/** @param runtime the path of its socket */
export function bundleCalls({readings, when, calls}: Snapshot, runtime: string): readonly RecordedCall[] {
  const answers = known(readings['runtime.answers'])
  const at = {at: when, durationMs: 0}
  const ofRuntime = {...at, socket: runtime, service: v1.RuntimeService.typeName}
  const outcomes = new Map(answers?.calls.map(({method, outcome}) => [method, outcome]))
  const call = (method: RuntimeMethod, response: JsonValue | undefined): RecordedCall[] => {
    const failed = failure(outcomes.get(method))
    if (failed !== undefined) return [{...ofRuntime, method, request: {}, ...failed}]
    return response === undefined ? [] : [{...ofRuntime, method, code: 'OK', request: {}, responses: [response]}]
  }
  const sandboxes = known(readings['runtime.sandboxes'])
  const containers = known(readings['runtime.containers'])
  const rows = new Map(containers?.map((container) => [container.id, container]))
  const looks = known(readings['runtime.container-status']) ?? []
  const mute = new Set(looks.flatMap(({id, outcome}) => (outcome.state === 'answered' ? [] : [id])))
  // What failed when the node was looked at fails in the replay, whatever was answered a moment later.
  const recorded = (calls?.calls ?? []).filter(
    (each) =>
      each.socket !== runtime || !(failure(outcomes.get(each.method as RuntimeMethod)) !== undefined || mute.has(containerOf(each) ?? '')),
  )
  const asked = new Set(recorded.flatMap((each) => containerOf(each) ?? []))
  return [
    ...(outcomes.get('connect')?.state === 'answered' || answers === undefined ? call('Version', version(answers)) : []),
    ...call('Status', answers && json(v1.StatusResponseSchema, {status: {conditions: [...answers.conditions]}})),
    ...recorded,
    // The bundle's lists are what its other readings were held against.
    ...call('ListPodSandbox', sandboxes && json(v1.ListPodSandboxResponseSchema, {items: [...sandboxes]})),
    ...call('ListContainers', containers && json(v1.ListContainersResponseSchema, {containers: [...containers]})),
    ...call('ListImages', undefined),
    ...looks.filter(({id}) => !asked.has(id)).map((look) => status({...ofRuntime, method: 'ContainerStatus'}, look, rows.get(look.id))),
    ...driverCalls(readings['csi.drivers'], recorded, at),
    ...registrationCalls(readings['csi.registrations'], recorded, at),
  ]
}

function containerOf({method, request}: RecordedCall): string | undefined {
  return method === 'ContainerStatus' ? (request as {readonly containerId?: string} | undefined)?.containerId : undefined
}

type About = Pick<RecordedCall, 'at' | 'durationMs'>

function json<Desc extends DescMessage>(desc: Desc, init: MessageInitShape<Desc>): JsonValue {
  return toJson(desc, create(desc, init))
}

/** A bundle of before these readings tells no name; without an answer nobody takes the socket for a runtime's. */
function version(answers: RuntimeAnswers | undefined): JsonValue {
  const {name: runtimeName = 'unknown', version: runtimeVersion = 'unknown'} = answers ?? {}
  return json(v1.VersionResponseSchema, {version: '0.1.0', runtimeName, runtimeVersion, runtimeApiVersion: 'v1'})
}

function failure(outcome: CallOutcome | undefined): Pick<RecordedCall, 'code' | 'message' | 'timeoutMs' | 'durationMs'> | undefined {
  if (outcome === undefined || outcome.state === 'answered') return undefined
  if (outcome.state === 'silent') return {code: 'DEADLINE_EXCEEDED', timeoutMs: outcome.waitedMs, durationMs: outcome.waitedMs}
  // In our words it is 'it answered Status with INTERNAL: …'.
  return {code: outcome.code, message: outcome.why.replace(/^it answered \w+ with [A-Z_]+: /, ''), durationMs: 0}
}

function status(about: Omit<RecordedCall, 'code'>, look: ContainerLook, row: v1.Container | undefined): RecordedCall {
  const request = {containerId: look.id, verbose: true}
  const failed = failure(look.outcome)
  if (failed !== undefined) return {...about, request, ...failed}
  const {id, pid, runtime: runtimeType, status: seen} = look
  const told = {...(pid !== undefined && {pid}), ...(runtimeType !== undefined && {runtimeType})}
  const {metadata, image, imageRef = '', imageId = '', labels = {}, annotations = {}} = row ?? {}
  const response = json(v1.ContainerStatusResponseSchema, {
    ...(seen && {status: {...seen, id, imageRef, imageId, labels, annotations, ...(metadata && {metadata}), ...(image && {image})}}),
    info: {info: JSON.stringify(told)},
  })
  return {...about, request, code: 'OK', responses: [response]}
}

function driverCalls(drivers: Reading<readonly DriverSocket[]>, recorded: readonly RecordedCall[], at: About): readonly RecordedCall[] {
  return (known(drivers) ?? []).flatMap(({socket, name, version: vendorVersion = '', ready, capabilities, nodeId}) => {
    if (name === undefined) return []
    const call = (service: string, method: string, response: JsonValue): RecordedCall[] =>
      recorded.some((each) => each.socket === socket && each.method === method)
        ? []
        : [{...at, socket, service, method, code: 'OK', request: {}, responses: [response]}]
    const rpcs = (capabilities ?? []).map((each) => ({type: {case: 'rpc' as const, value: {type: capabilityNumber(each)}}}))
    return [
      ...call(csi.Identity.typeName, 'GetPluginInfo', json(csi.GetPluginInfoResponseSchema, {name, vendorVersion})),
      ...call(csi.Identity.typeName, 'Probe', json(csi.ProbeResponseSchema, ready === undefined ? {} : {ready})),
      ...(capabilities
        ? call(csi.Node.typeName, 'NodeGetCapabilities', json(csi.NodeGetCapabilitiesResponseSchema, {capabilities: rpcs}))
        : []),
      ...(nodeId === undefined ? [] : call(csi.Node.typeName, 'NodeGetInfo', json(csi.NodeGetInfoResponseSchema, {nodeId}))),
    ]
  })
}

/** One that we do not know is kept as its number. */
function capabilityNumber(name: string): csi.NodeServiceCapability_RPC_Type {
  return (csi.NodeServiceCapability_RPC_TypeSchema.values.find((value) => value.name === name)?.number ??
    Number(name)) as csi.NodeServiceCapability_RPC_Type
}

function registrationCalls(all: Reading<readonly Registration[]>, recorded: readonly RecordedCall[], at: About): readonly RecordedCall[] {
  return (known(all) ?? []).flatMap(({socket, type, name, endpoint, versions}) => {
    if (type === undefined || recorded.some((each) => each.socket === socket && each.method === 'GetInfo')) return []
    const response = json(PluginInfoSchema, {type, name: name ?? '', endpoint: endpoint ?? '', supportedVersions: [...(versions ?? [])]})
    return [{...at, socket, service: 'pluginregistration.Registration', method: 'GetInfo', code: 'OK', request: {}, responses: [response]}]
  })
}
