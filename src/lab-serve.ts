// The process of a lab that is up: a node whose runtime, drivers and API server are on sockets for anybody to use.
import {mkdirSync} from 'node:fs'
import {join} from 'node:path'
import type {Clock} from './base/clock.ts'
import {seeded} from './base/dice.ts'
import {firstLine} from './base/errors.ts'
import {scaledClock} from './base/scaled-clock.ts'
import type {BoundClaim} from './kubelet/pod.ts'
import {writeKubeconfig} from './lab/api/kubeconfig.ts'
import {writeMountinfo} from './lab/disk/lab-mountinfo.ts'
import {rootlessDisk} from './lab/disk/rootless-disk.ts'
import type {LabDisk, Tell} from './lab/disk/tree-disk.ts'
import {shownKubelet} from './lab/kubelet/shown-kubelet.ts'
import type {LabClock} from './lab/lab-clock.ts'
import {runningClock} from './lab/lab-clock.ts'
import {type LabNode, type LabOptions, startLabNode} from './lab/lab-node.ts'
import {birthOf, writeLabRecord} from './lab/up/lab-record.ts'
import {servedWire} from './lab/wire/served-wire.ts'
import {claimsOf} from './scenario/claims.ts'
import {judge} from './scenario/judge.ts'
import {play} from './scenario/play.ts'
import type {Scenario} from './scenario/schema/scenario.ts'
import {scenariosNamed} from './scenario/shipped.ts'
import {switchedProfile} from './scenario/switched-profile.ts'

export interface LabServeRequest {
  /** It is there. */
  readonly folder: string
  readonly profile: string
  readonly scale: number
  readonly seed: number
  /** A scenario or a file with one: it is played as soon as the lab is up. */
  readonly scenario?: string
  readonly tool: string
  readonly pid: number
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Hears what happens to the scenario. */
  readonly tell: (text: string) => void
}

/** Of a lab without a scenario: something to put into a pod. */
const drivers = [{name: 'csi.example.com'}]
const claims: readonly BoundClaim[] = (['Filesystem', 'Block'] as const).map((volumeMode) => {
  const name = volumeMode === 'Block' ? 'device' : 'data'
  return {namespace: 'default', name, driver: 'csi.example.com', volumeName: `pv-${name}`, volumeHandle: `vol-${name}`, volumeMode}
})

/** Serves until the signal. @throws UserError when there is no such profile or scenario */
export async function labServe(request: LabServeRequest): Promise<void> {
  const {folder, scale, seed, tool, pid, clock: real, signal} = request
  const profile = switchedProfile(request.profile, [])
  const [scenario] = request.scenario === undefined ? [] : await scenariosNamed([request.scenario])
  const clock = runningClock(scaledClock(real, scale), signal)
  const root = join(folder, 'kubelet')
  await using wire = servedWire({folder, root, dice: seeded(seed), clock, version: profile.version})
  const start = clock.now()
  const mountinfo = join(folder, 'mountinfo')
  const shown = shownKubelet({folder, profile, clock, signal})
  const options = {profile, seed, start, wire, startKubelet: shown.startKubelet, parts: {clock, disk: diskOf(root, clock, mountinfo)}}
  const node = scenario === undefined ? startLabNode({...options, drivers, claims}) : await playOn(scenario, options, request)
  await using kubelet = await shown.show(node)
  const {kubeconfig: text, url: server, runtime, drivers: served} = await wire.ready()
  const kubeconfig = join(folder, 'kubeconfig')
  await writeKubeconfig(kubeconfig, text)
  await writeLabRecord(folder, {
    pid,
    bornAt: (await birthOf(pid)) ?? '',
    tool,
    profile: profile.version,
    scale,
    ...(scenario === undefined ? {} : {scenario: scenario.name}),
    kubeconfig,
    server,
    runtime: `unix://${runtime}`,
    drivers: served.map((each) => ({...each, endpoint: `unix://${each.endpoint}`})),
    kubeletRoot: root,
    kubeletUrl: kubelet.url,
    kubeletLog: shown.logFile,
    mountinfo,
    claims: (scenario === undefined ? claims : claimsOf(scenario)).map(({namespace, name}) => `${namespace}/${name}`),
  })
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), {once: true})
  })
}

/** The directories of pods are there before the first pod is. */
function diskOf(root: string, {now}: LabClock, mountinfo: string): (tell: Tell) => LabDisk {
  return (tell) => {
    mkdirSync(join(root, 'pods'), {recursive: true})
    const disk = rootlessDisk({
      root,
      now,
      tell: (change) => {
        tell(change)
        if (change.what === 'mounted' || change.what === 'unmounted') writeMountinfo(mountinfo, disk, root)
      },
    })
    writeMountinfo(mountinfo, disk, root)
    return disk
  }
}

/** Starts at once, and goes on beside us. */
function playOn(scenario: Scenario, options: LabOptions, {tell}: LabServeRequest): Promise<LabNode> {
  const {profile, seed, start} = options
  return new Promise((resolve, reject) => {
    const startNode = (its: LabOptions) => {
      const node = startLabNode({...its, ...options})
      resolve(node)
      return node
    }
    play(scenario, {profile, seed, from: start, startNode}).then(
      (record) => {
        const {verdict, why} = judge(scenario, profile, record)
        tell(`${scenario.name} on ${profile.version}: ${verdict}: ${why}`)
      },
      (error: unknown) => {
        reject(error)
        tell(`${scenario.name} was not played to its end: ${firstLine(error)}`)
      },
    )
  })
}
