// The finding about the runtime itself: which calls hang, which are answered, what the kubelet makes of it.
import {formatDuration} from '../../base/duration.ts'
import type {RuntimeAnswers} from '../../node/runtime/answers.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import {checkAgain} from '../check-again.ts'
import type {Evidence, Finding, Remedy, Subject} from '../finding.ts'
import {shellWord} from '../shell-word.ts'
import {crictl} from './crictl.ts'
import {dumpStacks, restartRuntime} from './runtime-remedies.ts'
import {type CallTrouble, namedByUser, type RuntimeTroubles} from './runtime-troubles.ts'

export function runtimeSubject({endpoint, name}: Pick<RuntimeAnswers, 'endpoint' | 'name'>): Subject {
  const path = endpoint.replace(/^unix:(?:\/\/)?/, '')
  return {kind: 'Runtime', ...(name !== undefined && {name}), ...(path.startsWith('/') && {path})}
}

export function runtimeFinding(snapshot: Snapshot, troubles: RuntimeTroubles): Omit<Finding, 'links'> {
  const {answers, calls} = troubles
  const [worst] = calls
  return {
    code: 'R01',
    name: 'runtime-unresponsive',
    severity: worst?.severity ?? 'info',
    subject: runtimeSubject(answers),
    message: messageOf(troubles),
    next: nextOf(calls),
    evidence: evidenceOf(troubles),
    cause: null,
    remedy: remediesOf(snapshot, troubles),
  }
}

function messageOf({answers, calls, answered}: RuntimeTroubles): string {
  const whose = `The container runtime ${answers.name === undefined ? '' : `${answers.name} `}at ${answers.endpoint} (${answers.source})`
  const gone = calls.find(({what}) => what === 'unreachable' || what === 'no service')
  if (gone !== undefined) {
    const wrong = gone.severity === 'warning' ? ' It may be the wrong socket: the kubelet does not name it.' : ''
    const hint = gone.what === 'no service' ? " containerd serves no CRI when 'cri' is in disabled_plugins of its config.toml." : ''
    return `${whose} does not answer: ${gone.why}.${hint}${wrong}`
  }
  const starting = calls.find(({what}) => what === 'starting')
  if (starting !== undefined) return `${whose} is still starting: it answers '${starting.why}'.`
  const methods = answered.filter((method) => method !== 'connect')
  const others = methods.length === 0 ? '' : ` It answers ${methods.join(', ')}.`
  return `${whose} ${calls.map(wordsOf).join(', ')}.${others}`
}

function wordsOf({method, what, ms = 0, why}: CallTrouble): string {
  const time = formatDuration(ms)
  if (what === 'slow') return `took ${time} to answer ${method}`
  if (what === 'silent')
    return method === 'connect' ? `takes connections and says nothing (${time})` : `did not answer ${method} within ${time}`
  return what === 'breaks' ? `broke the connection at ${method}: ${why}` : `fails ${method}: ${why}`
}

function nextOf(calls: readonly CallTrouble[]): string {
  const of = (...methods: CallTrouble['method'][]) => calls.some(({method, what}) => methods.includes(method) && what !== 'slow')
  if (calls.every(({what}) => what === 'starting'))
    return 'The kubelet asks again every 5s; a start takes a minute at most, unless it hangs.'
  if (of('connect', 'Version', 'Status'))
    return 'The kubelet asks for Status every 5s; 30s after the last answer it calls the runtime down: the node is NotReady, and no pod is synchronized.'
  if (of('ListPodSandbox', 'ListContainers', 'ContainerStatus'))
    return 'The kubelet gives each call 2m and then lists again; 3m after the last relist that ended the node is NotReady, and no pod is synchronized.'
  if (of('ListImages')) return 'The kubelet asks for the images every 5m: until it gets them none is removed, and a full disk evicts pods.'
  return 'The kubelet waits for each answer, up to 2m.'
}

function evidenceOf({answers, calls, answered}: RuntimeTroubles): Evidence[] {
  const source = 'runtime.answers'
  const unready = answers.conditions.filter(({status}) => !status)
  return [
    {source, fact: `${answers.endpoint} is named by ${answers.source}`},
    ...calls.map((call) => ({
      source: call.method === 'ContainerStatus' ? 'runtime.container-status' : source,
      fact: `${call.method}: ${factOf(call)}`,
    })),
    ...(answered.length > 0 ? [{source, fact: `answered: ${answered.join(', ')}`}] : []),
    ...unready.map(({type, reason, message}) => ({
      source,
      fact: `${type} is false: ${[reason, message].filter((each) => each !== '').join(', ')}`,
    })),
  ]
}

function factOf({what, ms = 0, why}: CallTrouble): string {
  if (what === 'silent') return `nothing within ${formatDuration(ms)}`
  return what === 'slow' ? `answered after ${formatDuration(ms)}` : (why ?? what)
}

function remediesOf(snapshot: Snapshot, {answers, calls}: RuntimeTroubles): Remedy[] {
  const is = (what: CallTrouble['what']) => calls.some((call) => call.what === what)
  const path = runtimeSubject(answers).path ?? answers.endpoint
  const look = checkAgain('look again in a minute: a start or a load passes')
  if (is('starting') || calls.every(({what, severity}) => what === 'slow' || what === 'breaks' || severity === 'info')) return [look]
  if (is('no service'))
    return [
      {command: 'grep -n disabled_plugins /etc/containerd/config.toml', why: "'cri' must not be in it", loses: null},
      restartRuntime(answers, 'when it is out of it'),
    ]
  if (is('unreachable')) {
    const wrong: Remedy[] = namedByUser(answers.source)
      ? [{command: 'kubelimbo endpoints', why: 'which socket does the kubelet use?', loses: null}]
      : []
    return [
      ...wrong,
      {command: `ss -xlp | grep -F -- ${shellWord(path)}`, why: 'does anybody listen there?', loses: null},
      restartRuntime(answers, 'it makes its socket anew'),
    ]
  }
  const status: Remedy[] = is('silent')
    ? [dumpStacks(answers)]
    : [{command: `${crictl(snapshot)} info`, why: 'what it says of itself', loses: null}]
  return [...status, restartRuntime(answers, 'it lets go of all locks')]
}
