// Pods in the lab as they were on real nodes, and what a watcher of the API saw of them.
import type {Rule} from '../../src/faults/rule.ts'
import type {ContainerState, Pod} from '../../src/kubelet/pod.ts'
import {type Profile, profileOf} from '../../src/kubelet/profiles.ts'
import type {PodManifest} from '../../src/lab/api-server/pod-manifest.ts'
import {type LabNode, startLabNode} from '../../src/lab/lab-node.ts'
import type {ContainerEvent} from '../../src/timeline/event.ts'

export interface Observation {
  readonly profile: string | Profile
  readonly pods: readonly PodManifest[]
  readonly rules?: readonly Rule[]
  /** Each that many milliseconds after the pods were created. */
  readonly steps: readonly (readonly [after: number, act: (node: LabNode) => unknown])[]
  /** Milliseconds after the pods were created. */
  readonly until: number
}

export interface Observed {
  readonly node: LabNode
  /** Milliseconds since 1970. */
  readonly created: number
}

/** One run each was seen and some of it are races, so each is played with that many. */
export const seeds = Array.from({length: 24}, (_, index) => index + 1)

const start = Date.UTC(2026, 0, 1)

/** Where the pods come in the kubelet's seconds of PLEG and tens of seconds of statuses, is another with each seed. */
export async function observe({profile, pods, rules = [], steps, until}: Observation, seed: number): Promise<Observed> {
  const node = startLabNode({profile: typeof profile === 'string' ? profileOf(profile) : profile, seed, start, rules})
  const created = start + 5000 + ((seed * 1237) % 10_000)
  await node.run(created)
  for (const pod of pods) void node.client.createPod(pod)
  for (const [after, act] of steps) {
    await node.run(created + after)
    void act(node)
  }
  await node.run(created + until)
  return {node, created}
}

export const observeAll = (observation: Observation): Promise<Observed[]> => Promise.all(seeds.map((seed) => observe(observation, seed)))

/** 'terminated 1 Error' has a containerID and times. One without any of them is 'made up'. */
function stateWords(state: ContainerState): string {
  if ('running' in state) return 'running'
  if ('waiting' in state) return `waiting ${state.waiting.reason ?? ''}`.trim()
  const {exitCode, reason, containerID, startedAt, finishedAt} = state.terminated
  const told = [containerID, startedAt, finishedAt].filter((each) => each !== undefined).length
  const how = told === 3 ? '' : told === 0 ? ', made up' : `, with ${told} of containerID and times`
  return `terminated ${exitCode}${reason === undefined ? '' : ` ${reason}`}${how}`
}

const statusWords = ({status}: Pod): string => {
  const containers = status.containerStatuses.map(({name, state, lastState}) => {
    const last = lastState === undefined ? '' : ` after ${stateWords(lastState)}`
    return `; ${name} ${stateWords(state)}${last}`
  })
  return `${status.phase}${status.reason === undefined ? '' : `/${status.reason}`}${containers.join('')}`
}

/** Each status once, in order; 'deleted' where the pod gets its deletion timestamp, 'gone' where its object goes. */
export function historyOf({node}: Observed, pod: string): string[] {
  const seen: string[] = []
  let last: string | undefined
  for (const event of node.timeline.events) {
    if (event.kind !== 'object' || event.pod !== pod) continue
    const object = event.object as Pod
    const words = statusWords(object)
    if (words !== last) seen.push(words)
    last = words
    if (object.metadata.deletionTimestamp !== undefined && !seen.includes('deleted')) seen.push('deleted')
    if (event.type === 'DELETED') seen.push('gone')
  }
  return seen
}

/** What came after the delete, the status at that moment first. */
export function fromDeletion(history: readonly string[]): string[] {
  const at = history.indexOf('deleted')
  return at === -1 ? [] : history.slice(at - 1).filter((each) => each !== 'deleted')
}

/** Milliseconds after the pods were created; undefined when it is still there. */
export function goneAfter({node, created}: Observed, pod: string): number | undefined {
  const gone = node.timeline.events.find((event) => event.kind === 'object' && event.pod === pod && event.type === 'DELETED')
  return gone === undefined ? undefined : gone.at - created
}

/** What the runtime did with the containers: 'main exited 1'. */
export const runtimeOf = ({node}: Observed): (ContainerEvent & {readonly words: string})[] =>
  node.timeline.events.flatMap((event) => {
    if (event.kind !== 'container') return []
    return [{...event, words: `${event.container ?? 'sandbox'} ${event.what}${event.exitCode === undefined ? '' : ` ${event.exitCode}`}`}]
  })

export const sh = (script: string): string[] => ['sh', '-c', script]
