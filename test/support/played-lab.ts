// A lab's node played in a test, and what one reads from its timeline.
import type {Rule} from '../../src/faults/rule.ts'
import type {Pod, PodStatus} from '../../src/kubelet/pod.ts'
import {type Profile, profileOf} from '../../src/kubelet/profiles.ts'
import {type LabNode, startLabNode} from '../../src/lab/lab-node.ts'
import type {CallEvent, ObjectEvent} from '../../src/timeline/event.ts'

export const labStart = Date.UTC(2020, 0, 1)

export const playedLab = (profile: string | Profile, seed = 1, rules: readonly Rule[] = []): LabNode =>
  startLabNode({profile: typeof profile === 'string' ? profileOf(profile) : profile, seed, start: labStart, rules})

export const ignoresTerm = ['sh', '-c', "trap '' TERM; while :; do sleep 1; done"]
export const exitsOnTerm = (code: number) => ['sh', '-c', `trap 'exit ${code}' TERM; while :; do sleep 1; done`]

export const callsOf = ({timeline}: LabNode, method: string): CallEvent[] =>
  timeline.events.flatMap((event) => (event.kind === 'call' && event.method === method ? [event] : []))

export const logsOf = ({timeline}: LabNode, text: string) =>
  timeline.events.flatMap((event) => (event.kind === 'log' && event.text === text ? [event] : []))

const objectsOf = ({timeline}: LabNode, pod: string): ObjectEvent[] =>
  timeline.events.flatMap((event) => (event.kind === 'object' && event.pod === pod ? [event] : []))

export const goneAt = (lab: LabNode, pod: string): number | undefined => objectsOf(lab, pod).find(({type}) => type === 'DELETED')?.at

/** What a watcher saw of a pod, each once: 'Failed c=terminated 1 Error'. */
export function storyOf(lab: LabNode, pod: string, from = 0): string[] {
  const told = objectsOf(lab, pod)
    .filter(({at}) => at >= from)
    .map(({object}) => brief((object as Pod).status))
  return told.filter((each, index) => each !== told[index - 1])
}

function brief({phase, reason, containerStatuses}: PodStatus): string {
  const states = containerStatuses.map(({name, state}) => {
    if ('waiting' in state) return `${name}=waiting ${state.waiting.reason ?? ''}`
    if ('running' in state) return `${name}=running`
    const {exitCode, reason: why, containerID} = state.terminated
    return `${name}=terminated ${exitCode} ${why ?? (containerID === undefined ? 'made up' : '')}`
  })
  return [reason === undefined ? phase : `${phase}/${reason}`, ...states].join(' ')
}
