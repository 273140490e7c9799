// What the container runtime says: whether each call is answered, the two lists, and each container's own status.
import type {Clock} from '../../base/clock.ts'
import {UserError} from '../../base/errors.ts'
import type {CriClient} from '../../wire/cri-client.ts'
import {RpcFailure} from '../../wire/rpc-failure.ts'
import type {Probed} from '../endpoints/candidate.ts'
import type {Discovery} from '../endpoints/discover.ts'
import {failed, known, type Reading, read} from '../reading.ts'
import {discoverRuntime, type Machine, type RuntimeRequest} from '../runtime-source.ts'
import type {Readings} from '../snapshot.ts'
import {type CallOutcome, outcomeOf, type RuntimeAnswers, type RuntimeMethod, runtimeMethods} from './answers.ts'
import {askContainers, inOrderOfDoubt} from './ask-containers.ts'
import type {ProcessLook} from './container-look.ts'
import {answersOfNone} from './unreached.ts'

export const runtimeSources = ['runtime.sandboxes', 'runtime.containers', 'runtime.container-status', 'runtime.answers'] as const

export interface RuntimeRead {
  readonly readings: Pick<Readings, (typeof runtimeSources)[number]>
  readonly warnings: readonly string[]
}

export interface RuntimeWork extends Machine {
  /** Milliseconds for all of it. */
  readonly deadlineMs: number
  /** Containers that have a living process, as far as that is known in time. */
  readonly living: Promise<ReadonlySet<string>>
  /** Undefined when /proc is not the node's. */
  readonly lookAtProcess: Promise<((pid: number) => ProcessLook | undefined) | undefined>
}

/** More than the kubelet's two seconds for connecting; it gives a call two minutes. What hangs must have been waited for 5 s. */
const longestConnectMs = 6000
const longestCallMs = 10_000
const longestStatusMs = 6000

/** @throws UserError for what is wrong with the request; the signal's reason. */
export async function readRuntime(request: RuntimeRequest, work: RuntimeWork): Promise<RuntimeRead> {
  const {clock, signal, deadlineMs} = work
  const until = clock.now() + deadlineMs
  const connectTimeoutMs = request.connectTimeoutMs || Math.min(longestConnectMs, deadlineMs / 3)
  const callTimeoutMs = Math.min(longestCallMs, deadlineMs / 2)
  await using discovery = await discoverRuntime({...request, connectTimeoutMs}, work, {callTimeoutMs})
  const {client, chosen, warnings} = discovery
  if (client === undefined || chosen instanceof UserError) return {readings: unreached(discovery), warnings}
  const within = {signal, deadlineMs: Math.max(0, Math.min(longestCallMs, until - clock.now()))}
  // One that hangs costs no other: the statuses wait for the list of containers alone.
  const listing = timed(clock, () => client.listContainers(undefined, within))
  const [status, sandboxes, containers, images, looks] = await Promise.all([
    timed(clock, () => client.status(within)),
    timed(clock, () => client.listPodSandbox(undefined, within)),
    listing,
    timed(clock, () => client.listImages(within)),
    listing.then((listed) => askAll(client, listOf(listed), until, work)),
  ])
  const outcomes = {
    connect: answered,
    Version: answered,
    Status: status.outcome,
    ListPodSandbox: sandboxes.outcome,
    ListContainers: containers.outcome,
    ListImages: images.outcome,
  }
  const conditions = (status.value ?? []).map(({type, status: is, reason, message}) => ({type, status: is, reason, message}))
  return {
    readings: {
      'runtime.sandboxes': listOf(sandboxes),
      'runtime.containers': listOf(containers),
      'runtime.container-status': looks,
      'runtime.answers': read({...namesOf(chosen, client), calls: callsOf(outcomes), conditions}),
    },
    warnings,
  }
}

const answered: CallOutcome = {state: 'answered'}

function namesOf({endpoint, source, tier}: Probed, {runtime}: CriClient): Omit<RuntimeAnswers, 'calls' | 'conditions'> {
  return {endpoint, source, told: tier !== 'usual', name: runtime.name, version: runtime.version}
}

function callsOf(outcomes: Readonly<Record<RuntimeMethod, CallOutcome>>): RuntimeAnswers['calls'] {
  return runtimeMethods.map((method) => ({method, outcome: outcomes[method]}))
}

interface Timed<T> {
  readonly outcome: CallOutcome
  readonly value?: T
  readonly why?: string
  readonly tookMs: number
}

async function timed<T>(clock: Clock, work: () => Promise<T>): Promise<Timed<T>> {
  const start = clock.now()
  try {
    const value = await work()
    const tookMs = clock.now() - start
    return {outcome: {state: 'answered', tookMs}, value, tookMs}
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error
    const tookMs = clock.now() - start
    return {outcome: outcomeOf(error, tookMs), why: error.message, tookMs}
  }
}

function listOf<T>({
  value,
  why = 'it was not answered',
  tookMs,
}: Timed<{readonly items: readonly T[]; readonly incomplete?: string}>): Reading<readonly T[]> {
  return value === undefined ? failed(why, tookMs) : read(value.items, value.incomplete)
}

async function askAll(client: CriClient, listed: Readings['runtime.containers'], until: number, work: RuntimeWork) {
  const containers = known(listed)
  if (containers === undefined) return failed('the containers were not listed')
  const {clock, signal} = work
  const [living, look] = await Promise.all([work.living, work.lookAtProcess])
  return askContainers(client, inOrderOfDoubt(containers, living), {
    clock,
    signal,
    until,
    deadlineMs: longestStatusMs,
    ...(look && {lookAtProcess: look}),
  })
}

function unreached(discovery: Discovery): RuntimeRead['readings'] {
  const why = discovery.chosen instanceof UserError ? discovery.chosen.message : 'it cannot be reached'
  return {
    'runtime.sandboxes': failed(why),
    'runtime.containers': failed(why),
    'runtime.container-status': failed(why),
    'runtime.answers': answersOfNone(discovery.candidates, why),
  }
}
