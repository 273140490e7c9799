// What the kubelet's HTTP server says. Only GET, and only these four paths.
import type {Credentials} from '../api-server/credentials.ts'
import {decoders} from '../bundle/decode.ts'
import type {Healthz} from '../healthz.ts'
import type {HttpReply} from '../http/get.ts'
import {bodyOf, type HttpReading, type HttpWork, keeping, readHttp} from '../http/reading.ts'
import type {KubeletFacts} from '../kubelet-facts.ts'
import {mapReading, type Reading, read} from '../reading.ts'
import type {Readings} from '../snapshot.ts'
import {kubeletRoutes} from './kubelet-routes.ts'
import {metricsKept, versionIn} from './metrics-kept.ts'

export type KubeletSource = 'kubelet.pods' | 'kubelet.runningpods' | 'kubelet.healthz' | 'kubelet.metrics'

export interface KubeletAnswers {
  readonly readings: Pick<Readings, KubeletSource>
  /** How each was read. */
  readonly how: Readonly<Partial<Record<KubeletSource, string>>>
  /** Such as '1.26.5'. */
  readonly version?: string
}

interface Question extends HttpWork {
  /** --kubelet-url */
  readonly url?: string
  readonly facts: Pick<KubeletFacts, 'ports'>
  readonly credentials: readonly Credentials[]
  readonly pins?: ReadonlySet<string>
}

const help = 'it takes credentials (--kubeconfig) of somebody who may get nodes/proxy, or nodes/pods, nodes/metrics and nodes/healthz'

/** @throws UserError when the user's own address is none; the signal's reason. */
export async function readKubelet({url, facts, credentials, pins = new Set(), ...work}: Question): Promise<KubeletAnswers> {
  const {main, healthz} = kubeletRoutes({...(url !== undefined && {url}), facts, credentials, pins})
  const when = work.clock.now()
  const ask = <T>(path: string, decode: (text: string) => Reading<T>) =>
    readHttp<T>({routes: main, path, decode: (reply) => keeping(work, bodyOf(reply), decode), help}, work)
  const [pods, running, metrics, health] = await Promise.all([
    ask('/pods', (text) => decoders['kubelet.pods'](text, {when})),
    ask('/runningpods/', (text) => decoders['kubelet.runningpods'](text, {when})),
    ask('/metrics', (text) => decoders['kubelet.metrics'](text, {when})),
    readHttp<Healthz>({routes: healthz, path: '/healthz', decode: healthOf, help}, work),
  ])
  const version = metrics.reading.state === 'read' ? versionIn(metrics.reading.value) : undefined
  return {
    readings: {
      'kubelet.pods': pods.reading,
      'kubelet.runningpods': running.reading,
      'kubelet.metrics': {...metrics.reading, ...mapReading(metrics.reading, metricsKept)},
      'kubelet.healthz': health.reading,
    },
    how: ways({'kubelet.pods': pods, 'kubelet.runningpods': running, 'kubelet.metrics': metrics, 'kubelet.healthz': health}),
    ...(version !== undefined && {version}),
  }
}

function healthOf({status, text}: HttpReply): Reading<Healthz> {
  const said = text.trim()
  // A proxy's page is not the kubelet's word, nor is whatever else answers at the port; a failed check answers 500, with a line a check.
  const isWord = status === 200 ? said === 'ok' || /^\[[+-]\]/m.test(said) : [500, 503].includes(status) && !said.startsWith('<')
  if (!isWord) throw new Error(`it answers ${status} with no word on its health`)
  return read({ok: status === 200, text: said.slice(0, 4096)})
}

function ways(readings: Readonly<Record<KubeletSource, HttpReading<unknown>>>): KubeletAnswers['how'] {
  return Object.fromEntries(Object.entries(readings).flatMap(([name, {how}]) => (how === undefined ? [] : [[name, how]])))
}
