// Plays scenarios on real kubelets, several at a time, and says of each which of the documented bugs it has.
import {resolve} from 'node:path'
import {firstLine, UserError} from './base/errors.ts'
import {exitCodes} from './base/exit-codes.ts'
import {kubeletVersion} from './lab/real-kubelet/kubelet-version.ts'
import {type KubeletReport, kubeletScenarioReport} from './scenario/kubelet-report.ts'
import {type KubeletPlay, type PlayedOnKubelet, playOnKubelet} from './scenario/play-on-kubelet.ts'
import type {Scenario} from './scenario/schema/scenario.ts'
import {scenariosNamed, shippedScenarios} from './scenario/shipped.ts'

export interface ReproKubeletRequest extends Omit<KubeletPlay, 'binary' | 'version'> {
  /** Paths of binaries. */
  readonly kubelets: readonly string[]
  /** Scenarios or files; none: all that are shipped. */
  readonly names: readonly string[]
  /** How many kubelets run side by side, at most. */
  readonly atOnce: number
  readonly timelines: boolean
  readonly tool: string
  /** 0 is root. */
  readonly uid: number
  /** Hears what has begun and what came of it. */
  readonly onRun: (words: string) => void
}

/** @throws UserError for what is wrong with the request, a file or a binary, or where no kubelet can run */
export async function reproKubelet(request: ReproKubeletRequest): Promise<KubeletReport> {
  const {names, timelines, tool, uid, atOnce, onRun} = request
  const scenarios = names.length === 0 ? await shippedScenarios() : await scenariosNamed(names)
  if (uid !== 0)
    throw new UserError(`Cannot run a kubelet as only root may: this is user ${uid}`, {
      hint: 'run it with sudo, or without --kubelet on the model of the kubelet',
      exit: exitCodes.blind,
    })
  const kubelets = await Promise.all(
    request.kubelets.map(async (path) => ({path, binary: resolve(path), version: await kubeletVersion(path)})),
  )
  const free = slots(atOnce)
  const playOne = (scenario: Scenario, kubelet: (typeof kubelets)[number]): Promise<PlayedOnKubelet> =>
    free(async () => {
      request.signal.throwIfAborted()
      const what = `${scenario.name} on ${kubelet.version.text}`
      onRun(`${what}: begins`)
      const played = await playOnKubelet(scenario, {...request, ...kubelet}).catch((error) => {
        request.signal.throwIfAborted()
        throw error instanceof UserError ? error : new Error(`${what} cannot be played to its end: ${firstLine(error)}`, {cause: error})
      })
      onRun(`${what}: ${played.verdict}`)
      return played
    })
  const played = await allOrNone(scenarios.map((scenario) => allOrNone(kubelets.map((kubelet) => playOne(scenario, kubelet)))))
  return {
    apiVersion: 'kubelimbo/v1',
    kind: 'KubeletReport',
    metadata: {tool},
    kubelets: kubelets.map(({path, version}) => ({path, version: version.text})),
    scenarios: scenarios.map((scenario, index) => kubeletScenarioReport(scenario, played[index] ?? [], timelines)),
  }
}

/** Each has ended, and taken away what it made, before it rejects. */
async function allOrNone<T>(works: readonly Promise<T>[]): Promise<readonly T[]> {
  await Promise.allSettled(works)
  return Promise.all(works)
}

/** So many at a time, in the order in which they came. */
function slots(count: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let free = count
  return async (work) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}
