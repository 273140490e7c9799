// csi-sanity through the proxy to a driver that really mounts: each spec ends as it does without.
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {startCsiBind} from '../../support/csi-bind.ts'
import {runCsiSanity} from '../../support/csi-sanity.ts'
import {type Between, directly, ways} from '../../support/proxied.ts'
import {tempDir} from '../../support/socket-dir.ts'

/** Of a driver that starts anew, so that no run sees what another one left. */
async function run(between: Between): Promise<Readonly<Record<string, string>>> {
  const folder = tempDir()
  const driver = await startCsiBind({kubeletRoot: join(folder, 'kubelet'), state: join(folder, 'state')})
  onTestFinished(() => driver[Symbol.asyncDispose]())
  await using proxy = await between(driver.socket, folder)
  const {states, output} = await runCsiSanity(proxy.path, folder)
  expect(Object.keys(states).length, output).toBeGreaterThan(60)
  return states
}

test('serveProxy() changes no outcome of csi-sanity', async () => {
  const without = await run(directly)
  const counts = Object.groupBy(Object.entries(without), ([, state]) => state)
  expect(counts.passed?.length ?? 0).toBeGreaterThanOrEqual(22)
  for (const {name, open} of ways) expect(await run(open), name).toEqual(without)
})
