// The container runtime: whether it answers, its sandboxes and its containers by their ids.
import {ContainerState, PodSandboxState} from '../../../wire/gen/cri_pb.ts'
import {known} from '../../reading.ts'
import type {CallOutcome, RuntimeAnswers} from '../../runtime/answers.ts'
import {shortId} from '../../short-id.ts'
import type {Fact, Facts, Thing} from '../thing.ts'
import type {View} from '../view.ts'

export const runtimeViews: readonly View[] = [
  {
    group: 'runtime',
    sources: ['runtime.answers'],
    things: ({readings}) => {
      const answers = known(readings['runtime.answers'])
      return answers === undefined ? [] : [{key: 'runtime', name: 'the container runtime', facts: answerFacts(answers)}]
    },
  },
  {
    group: 'sandboxes',
    sources: ['runtime.sandboxes'],
    things: ({readings}) =>
      (known(readings['runtime.sandboxes']) ?? []).map(({id, metadata, state, runtimeHandler}) => ({
        key: id,
        name: `${metadata?.namespace ?? ''}/${metadata?.name ?? ''} ${shortId(id)}`,
        facts: {
          state: wordOf(PodSandboxState, state),
          attempt: metadata?.attempt ?? 0,
          'pod uid': metadata?.uid ?? null,
          handler: runtimeHandler || null,
        },
      })),
  },
  {
    group: 'containers',
    sources: ['runtime.containers'],
    things: ({readings}) =>
      (known(readings['runtime.containers']) ?? []).map(({id, labels, metadata, state, podSandboxId, image}) => ({
        key: id,
        name: containerName(id, labels, metadata?.name),
        facts: {
          state: wordOf(ContainerState, state),
          attempt: metadata?.attempt ?? 0,
          sandbox: shortId(podSandboxId),
          image: image?.image || null,
        },
      })),
  },
  {
    group: 'containers',
    sources: ['runtime.containers', 'runtime.container-status'],
    onlyChanges: true,
    things: ({readings}) => {
      const listed = new Map((known(readings['runtime.containers']) ?? []).map((each) => [each.id, each]))
      return (known(readings['runtime.container-status']) ?? []).map(({id, outcome, status, process}): Thing => {
        const container = listed.get(id)
        return {
          key: id,
          name: containerName(id, container?.labels ?? {}, container?.metadata?.name),
          facts: {
            answer: outcomeText(outcome),
            exit: status === undefined ? undefined : status.exitCode,
            reason: status === undefined ? undefined : status.reason || null,
            process: process?.state,
          },
        }
      })
    },
  },
]

function containerName(id: string, labels: Readonly<Record<string, string>>, own: string | undefined): string {
  const pod = `${labels['io.kubernetes.pod.namespace'] ?? ''}/${labels['io.kubernetes.pod.name'] ?? ''}`
  return `${pod} ${labels['io.kubernetes.container.name'] ?? own ?? ''} ${shortId(id)}`
}

/** The enum's own name, without what all of them begin with. */
function wordOf(words: Readonly<Record<string, number>>, state: number): string {
  return (
    Object.keys(words)
      .find((word) => words[word] === state)
      ?.replace(/^[A-Z]+_/, '') ?? `state ${state}`
  )
}

function answerFacts({endpoint, name, version, calls, conditions}: RuntimeAnswers): Facts {
  const facts: Record<string, Fact | undefined> = {endpoint, name, version}
  for (const {method, outcome} of calls) facts[method] = outcomeText(outcome)
  for (const {type, status, reason} of conditions) facts[type] = [String(status), reason].filter((word) => word !== '').join(' ')
  // What was not asked for, as a call before it was not answered, is not known.
  for (const method of ['name', 'version', 'RuntimeReady', 'NetworkReady']) facts[method] ??= undefined
  return facts
}

/** How long it took is no difference. */
function outcomeText(outcome: CallOutcome): string {
  return outcome.state === 'failed' ? `failed ${outcome.code}` : outcome.state
}
