import {mkdir, readdir, readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {systemClock} from '../../src/base/clock.ts'
import {seeded} from '../../src/base/dice.ts'
import {repro} from '../../src/repro.ts'
import type {RunReport} from '../../src/scenario/report.ts'
import {type Containerd, startContainerd} from '../support/containerd.ts'
import {type CsiBind, startCsiBind} from '../support/csi-bind.ts'
import {loopsBelow} from '../support/loop-devices.ts'

let rig: Containerd

beforeAll(async () => {
  rig = await startContainerd()
})

afterAll(async () => {
  await rig?.[Symbol.asyncDispose]()
})

let runs = 0

interface About {
  readonly name: string
  readonly profile: string
  readonly what: 'driver' | 'runtimeAndDriver'
  readonly scale: number
  readonly driver: CsiBind
  /** For all that there is of the run. */
  readonly root: string
}

async function played({name, profile, what, scale, driver, root}: About): Promise<RunReport> {
  const temporary = join(root, 'tmp')
  await mkdir(temporary)
  const real = {
    csiEndpoint: `unix://${driver.socket}`,
    ...(what === 'driver' ? {} : {runtimeEndpoint: rig.endpoint, cgroupParent: rig.cgroup}),
    scale,
    clock: systemClock,
    temporary,
    uids: seeded(runs),
    signal: new AbortController().signal,
  }
  const {scenarios} = await repro({names: [name], profiles: profile, timelines: true, tool: 'kubelimbo 1.0.0', real})
  expect(await readdir(temporary)).toEqual([])
  const run = scenarios[0]?.runs[0]
  if (run === undefined) throw new Error('nothing was played')
  return run
}

const both = ['the runtime and the driver are', 'runtimeAndDriver'] as const
const alone = ['only the driver is', 'driver'] as const

test.for([
  ['stage-timeout-filesystem', '1.17.3', ...both, 10],
  ['stage-timeout-filesystem', '1.36.2', ...both, 10],
  ['stage-timeout-block', '1.17.3', ...both, 10],
  ['stage-timeout-block', '1.18.2', ...alone, 10],
  ['publish-timeout-filesystem', '1.17.3', ...both, 20],
  ['publish-timeout-filesystem', '1.36.2', ...alone, 20],
  ['publish-timeout-block', '1.17.3', ...both, 10],
  ['publish-timeout-block', '1.36.2', ...both, 10],
] as const)('repro() has %s on %s as in simulated time where %s real', async ([name, profile, _, what, scale]) => {
  const root = join(rig.folder, `run-${++runs}`)
  await using driver = await startCsiBind({kubeletRoot: join(root, 'driver'), state: join(root, 'state'), stageMount: true})
  const run = await played({name, profile, what, scale, driver, root})
  // A stage is to be undone within half a second of the kubelet's, for which a busy machine may be too late. The calls are the same then.
  expect(run.met || run.why.includes('; but the kubelet was up to'), run.why).toBe(true)
  expect(run.given.filter(({held}) => !held)).toEqual([])
  // The kubelet's calls are those that the driver had.
  const ofTimeline = (run.timeline ?? []).flatMap((event) => (event.kind === 'call' && event.to === 'csi' ? [event.method] : []))
  const had = driver.calls().filter((method) => method !== 'NodeGetCapabilities')
  const made = ofTimeline.filter((method) => method !== 'NodeGetCapabilities')
  const does = name.startsWith('stage') ? ['NodeStageVolume'] : ['NodeStageVolume', 'NodePublishVolume']
  const undoes = name.startsWith('stage') ? ['NodeUnstageVolume'] : ['NodeUnpublishVolume', 'NodeUnstageVolume']
  expect(made).toEqual(run.expected === 'reproduced' ? does : [...does, ...undoes])
  expect(had.slice(0, made.length)).toEqual(made)
  // Afterwards what it owes is undone, by its name and once.
  expect(had.slice(made.length)).toEqual(run.expected === 'reproduced' ? undoes : [])
  // Nothing is left with the driver, on the disk, in the mount table or in the runtime.
  expect(JSON.parse(await readFile(join(driver.state, 'state.json'), 'utf8'))).toEqual({})
  expect(await readFile('/proc/self/mountinfo', 'utf8')).not.toContain(root)
  expect(await loopsBelow(root)).toEqual([])
  expect(await rig.crictl('pods', '--quiet')).toBe('')
})
