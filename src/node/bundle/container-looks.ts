// A look at a container as a line of a bundle: the form of `crictl inspect`, with what became of the call and the process beside it.
import * as v from 'valibot'
import {ContainerState} from '../../wire/gen/cri_pb.ts'
import {fieldsOf, integerOf, textOf} from '../kube-list.ts'
import type {CallOutcome} from '../runtime/answers.ts'
import type {ContainerLook, ProcessLook, SeenStatus} from '../runtime/container-look.ts'
import {verboseInfo} from '../runtime/verbose-info.ts'
import {callOutcome} from './runtime-answers.ts'

const processLook = v.variant('state', [
  v.object({state: v.literal('gone')}),
  v.object({state: v.literal('zombie')}),
  v.object({state: v.literal('there'), startedAt: v.number(), containerId: v.exactOptional(v.string())}),
])

/** Undefined when it names no container. */
export function parseContainerLook(value: unknown): ContainerLook | undefined {
  const line = fieldsOf(value)
  const status = fieldsOf(line?.status)
  const id = textOf(line?.id) ?? textOf(status?.id)
  if (line === undefined || id === undefined) return undefined
  const outcome = v.safeParse(callOutcome, line.outcome)
  const process = v.safeParse(processLook, line.process)
  const seen = statusOf(status)
  return {
    id,
    outcome: outcome.success ? (outcome.output satisfies CallOutcome) : {state: 'answered'},
    ...(seen && {status: seen}),
    ...verboseInfo(line.info),
    ...(process.success && {process: process.output satisfies ProcessLook}),
  }
}

export function containerLookLine({id, outcome, status, pid, runtime, process}: ContainerLook): object {
  return {
    id,
    outcome,
    ...(status && {
      status: {
        id,
        state: stateName(status.state),
        createdAt: `${status.createdAt}`,
        startedAt: `${status.startedAt}`,
        finishedAt: `${status.finishedAt}`,
        exitCode: status.exitCode,
        reason: status.reason,
      },
    }),
    info: {...(pid !== undefined && {pid}), ...(runtime !== undefined && {runtimeType: runtime})},
    ...(process && {process}),
  }
}

function stateName(state: ContainerState): string | number {
  return Object.entries(ContainerState).find(([, value]) => value === state)?.[0] ?? state
}

function statusOf(status: ReturnType<typeof fieldsOf>): SeenStatus | undefined {
  if (status === undefined) return undefined
  return {
    state: stateOf(status.state),
    createdAt: nanoseconds(status.createdAt),
    startedAt: nanoseconds(status.startedAt),
    finishedAt: nanoseconds(status.finishedAt),
    exitCode: integerOf(status.exitCode) ?? 0,
    reason: textOf(status.reason) ?? '',
  }
}

/** A state of a runtime newer than we are counts as unknown: nothing is concluded from that one. */
function stateOf(value: unknown): ContainerState {
  return (
    Object.entries(ContainerState).find(([name, number]) => name === value || number === value)?.[1] ?? ContainerState.CONTAINER_UNKNOWN
  )
}

/** Protobuf's JSON has nanoseconds as text; crictl writes RFC 3339, and the year 1 for zero. */
function nanoseconds(value: unknown): bigint {
  if (typeof value === 'number' && Number.isFinite(value)) return BigInt(Math.trunc(value))
  if (typeof value !== 'string') return 0n
  if (/^-?\d+$/.test(value)) return BigInt(value)
  const found = /^(.+?)(?:\.(\d{1,9})\d*)?(Z|[+-]\d\d:\d\d)$/.exec(value)
  const ms = found === null ? Number.NaN : Date.parse(`${found[1]}${found[3]}`)
  if (Number.isNaN(ms) || value.startsWith('0001-01-01')) return 0n
  return BigInt(ms) * 1_000_000n + BigInt((found?.[2] ?? '').padEnd(9, '0'))
}
