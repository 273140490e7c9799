import {readdir, readFile} from 'node:fs/promises'
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

const parts = ['the driver', 'the driver and the runtime'] as const
let runs = 0

async function played(name: string, profile: string, driver: CsiBind, root: string, what: (typeof parts)[number]): Promise<RunReport> {
  const real = {
    csiEndpoint: `unix://${driver.socket}`,
    ...(what === 'the driver' ? {} : {runtimeEndpoint: rig.endpoint, cgroupParent: rig.cgroup}),
    root,
    scale: 10,
    clock: systemClock,
    temporary: rig.folder,
    uids: seeded(++runs),
    signal: new AbortController().signal,
  }
  const {scenarios} = await repro({names: [name], profiles: profile, timelines: true, tool: 'kubelimbo 1.0.0', real})
  const run = scenarios[0]?.runs[0]
  if (run === undefined) throw new Error('nothing was played')
  return run
}

const all = [
  ['stage-timeout-filesystem', ['1.17.3', '1.18.2', '1.36.2']],
  ['stage-timeout-block', ['1.17.3', '1.18.2', '1.36.2']],
  ['publish-timeout-filesystem', ['1.17.3', '1.36.2']],
  ['publish-timeout-block', ['1.17.3', '1.18.2', '1.36.2']],
] as const

test.for(all.flatMap(([name, profiles]) => profiles.flatMap((profile) => parts.map((what) => ({name, profile, what})))))(
  'repro() on a real driver has $name on $profile as in simulated time, where $what are real',
  async ({name, profile, what}) => {
    const root = join(rig.folder, `run-${++runs}`)
    await using driver = await startCsiBind({kubeletRoot: join(root, 'driver'), state: join(root, 'state'), stageMount: true})
    const before = await readdir(rig.folder)
    const run = await played(name, profile, driver, join(root, 'kubelets'), what)
    expect(run, run.why).toMatchObject({met: true})
    // The kubelet's calls are those that the driver had.
    const ofTimeline = (run.timeline ?? []).flatMap((event) => (event.kind === 'call' && event.to === 'csi' ? [event.method] : []))
    const had = driver.calls().filter((method) => method !== 'NodeGetCapabilities')
    const made = ofTimeline.filter((method) => method !== 'NodeGetCapabilities')
    expect(had.slice(0, made.length)).toEqual(made)
    // Afterwards what it owes is undone, by its name and once.
    const owed =
      run.expected === 'reproduced' ? (name.startsWith('stage') ? ['NodeUnstageVolume'] : ['NodeUnpublishVolume', 'NodeUnstageVolume']) : []
    expect(had.slice(made.length)).toEqual(owed)
    // Nothing is left with the driver, on the disk, in the mount table or in the runtime.
    expect(JSON.parse(await readFile(join(driver.state, 'state.json'), 'utf8'))).toEqual({})
    expect(await readdir(join(root, 'kubelets'))).toEqual([])
    expect(await readdir(rig.folder)).toEqual(before)
    expect(await readFile('/proc/self/mountinfo', 'utf8')).not.toContain(root)
    expect(await loopsBelow(root)).toEqual([])
    expect(await rig.crictl('pods', '--quiet')).toBe('')
  },
)
