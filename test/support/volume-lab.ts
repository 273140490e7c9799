// A pod with a volume in the lab: what the driver was called for, what became of the volume, and what lies on the disk.
import type {Rule} from '../../src/faults/rule.ts'
import type {BoundClaim} from '../../src/kubelet/pod.ts'
import {type Profile, profileOf} from '../../src/kubelet/profiles.ts'
import type {PodManifest} from '../../src/lab/api-server/pod-manifest.ts'
import type {DriverOptions} from '../../src/lab/drivers/fake-driver.ts'
import {type LabNode, startLabNode} from '../../src/lab/lab-node.ts'
import type {CallEvent} from '../../src/timeline/event.ts'
import {leftOn} from './left-on.ts'

export const driver = 'csi.example.com'
const pod = 'default/web'

export interface VolumeRun {
  readonly profile: string | Profile
  readonly mode?: BoundClaim['volumeMode']
  readonly rules?: readonly Rule[]
  readonly driver?: Partial<DriverOptions>
  readonly manifest?: PodManifest
  /** Each that many milliseconds after the pod was created. */
  readonly steps?: readonly (readonly [after: number, act: (node: LabNode) => unknown])[]
  /** Milliseconds after the pod was created. */
  readonly until: number
  readonly seed?: number
}

export interface Played {
  readonly node: LabNode
  /** Milliseconds since 1970. */
  readonly created: number
}

export const claim = (mode: BoundClaim['volumeMode'] = 'Filesystem'): BoundClaim => ({
  namespace: 'default',
  name: 'data',
  volumeName: 'pv1',
  driver,
  volumeHandle: 'h1',
  volumeMode: mode,
})

/** It ends on TERM at once. */
export const withVolume = (name = 'web', spec: Partial<PodManifest['spec']> = {}): PodManifest => ({
  metadata: {name},
  spec: {
    terminationGracePeriodSeconds: 2,
    containers: [{name: 'main', command: ['sh', '-c', "trap 'exit 0' TERM; while :; do sleep 1; done"]}],
    volumes: [{name: 'data', persistentVolumeClaim: {claimName: 'data'}}],
    ...spec,
  },
})

const start = Date.UTC(2026, 0, 1)

export async function playVolume({profile, mode, rules = [], steps = [], manifest, until, seed = 1, ...run}: VolumeRun): Promise<Played> {
  const node = startLabNode({
    profile: typeof profile === 'string' ? profileOf(profile) : profile,
    seed,
    start,
    rules,
    drivers: [{name: driver, ...run.driver}],
    claims: [claim(mode)],
  })
  const created = start + 5000 + ((seed * 1237) % 10_000)
  await node.run(created)
  void node.client.createPod(manifest ?? withVolume())
  for (const [after, act] of steps) {
    await node.run(created + after)
    void act(node)
  }
  await node.run(created + until)
  return {node, created}
}

export const remove = (after: number, name = pod) => [after, ({client}: LabNode) => client.deletePod(name)] as const
export const create = (after: number, manifest: PodManifest) => [after, ({client}: LabNode) => client.createPod(manifest)] as const

export const csiCalls = ({node}: Played, method?: string): CallEvent[] =>
  node.timeline.events.filter(
    (event): event is CallEvent =>
      event.kind === 'call' &&
      event.to === 'csi' &&
      (method === undefined ? event.method !== 'NodeGetCapabilities' : event.method === method),
  )

/** 'NodeStageVolume OK', in order; '…' while it is open. */
export const callWords = (played: Played): string[] => csiCalls(played).map(({method, outcome}) => `${method} ${outcome ?? '…'}`)

/** Calls with when they began and ended, in seconds after the first. */
export function callTimes(played: Played): (readonly [words: string, began: number, ended: number | undefined])[] {
  const calls = csiCalls(played)
  const first = calls[0]?.at ?? 0
  const seconds = (at: number) => (at - first) / 1000
  return calls.map(({method, outcome, at, endedAt}) => [
    `${method} ${outcome ?? '…'}`,
    seconds(at),
    endedAt === undefined ? undefined : seconds(endedAt),
  ])
}

export const logsWith = ({node}: Played, text: string) =>
  node.timeline.events.flatMap((event) => (event.kind === 'log' && event.text.includes(text) ? [event] : []))

/** Seconds after its creation; undefined while its object is there. */
export function goneAfter({node, created}: Played, name = pod): number | undefined {
  const gone = node.timeline.events.find((event) => event.kind === 'object' && event.type === 'DELETED' && event.pod === name)
  return gone === undefined ? undefined : (gone.at - created) / 1000
}

export const left = ({node}: Played): string[] => leftOn(node.disk)
