// A running node: a recipe takes the driver's socket over, what comes of it is found, and when it is healed the volume's life goes on.
import {randomUUID} from 'node:crypto'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {journalFolder} from '../../../src/node/takeover/journal.ts'
import {alarms} from '../../support/alarms.ts'
import {createVolume, deleteVolume} from '../../support/csi-calls.ts'
import {type HealthyNode, startHealthyNode} from '../../support/healthy-node.ts'
import {inodeAt, readJournals, startTaking} from '../../support/injecting.ts'
import {kubelimbo} from '../../support/kubelimbo.ts'
import type {PersistentSpec} from '../../support/node-pods.ts'
import {until} from '../../support/until.ts'

let node: HealthyNode

beforeAll(async () => {
  node = await startHealthyNode()
})
afterAll(() => node?.[Symbol.asyncDispose]())

interface Finding {
  readonly code: string
  readonly severity: string
  readonly subject: Readonly<Record<string, unknown>>
  readonly message: string
}

async function findings(): Promise<readonly Finding[]> {
  const {stdout} = await kubelimbo(['check', ...node.flags, '-o', 'json'], node.env)
  return JSON.parse(stdout).findings
}

/** Since then, by the driver's own log. */
function callsSince(before: number): readonly string[] {
  return node.driver
    .calls()
    .slice(before)
    .filter((method) => /^Node(Stage|Publish|Unpublish|Unstage)Volume$/.test(method))
}

test.each([
  {how: 'when its 30 s are over', forMs: 30_000, exitCode: 0},
  {how: 'by Ctrl-C', forMs: 600_000, exitCode: 130},
])(
  'inject stage-hang --pvc on a running node: check finds U01 and T01; healed $how, the volume is staged, published and taken down',
  async ({forMs, exitCode}) => {
    const {kubelet, driver} = node
    const handle = await createVolume(driver.socket, randomUUID(), false)
    const volume: PersistentSpec = {kind: 'filesystem', pv: `pv-${exitCode}`, driver: driver.name, handle}
    await kubelet.writeClaim(volume)
    const inode = await inodeAt(driver.socket)
    const before = driver.calls().length
    const claim = ['--pvc', `default/claim-of-pv-${exitCode}`]
    const inject = await startTaking(journalFolder, ['stage-hang', ...claim, '--for', `${forMs}ms`, ...node.flags], node.env)
    expect(await inodeAt(driver.socket)).not.toBe(inode)

    const running = kubelet.runPod({name: 'late-0', volume}, 150_000)
    running.catch(() => undefined)
    await until(async () => {
      const found = await findings()
      expect(found).toContainEqual(expect.objectContaining({code: 'U01', subject: expect.objectContaining({handle})}))
      expect(found).toContainEqual(expect.objectContaining({code: 'T01', message: expect.stringContaining(driver.socket)}))
    }, 50)
    expect(inject.said).toContainEqual(expect.objectContaining({kind: 'Taken', method: 'NodeStageVolume'}))
    expect(callsSince(before)).toEqual([])

    if (exitCode === 130) inject.kill('SIGINT')
    expect(await inject.ended).toMatchObject({exitCode})
    expect(await inodeAt(driver.socket)).toBe(inode)
    expect(await readJournals(journalFolder)).toEqual([])

    const pod = await running
    expect(callsSince(before)).toEqual(['NodeStageVolume', 'NodePublishVolume'])
    await kubelet.deletePod(pod)
    expect(callsSince(before)).toEqual(['NodeStageVolume', 'NodePublishVolume', 'NodeUnpublishVolume', 'NodeUnstageVolume'])
    await deleteVolume(driver.socket, handle)
    expect(await alarms(node)).toEqual([])
    expect((await findings()).map(({code}) => code)).toEqual([])
    expect(await inodeAt(driver.socket)).toBe(inode)
  },
)
