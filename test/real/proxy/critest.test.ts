// critest through the proxy to a real containerd: each case that is listed ends as it does without. A run takes some 15 s on two cores.
import {readFileSync} from 'node:fs'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {builtPeers} from '../../support/built-peers.ts'
import {type Containerd, startContainerd} from '../../support/containerd.ts'
import {runCritest} from '../../support/critest.ts'
import {serveCritestImages} from '../../support/critest-images.ts'
import type {ImageRegistry} from '../../support/image-registry.ts'
import {directly, ways} from '../../support/proxied.ts'
import {tempDir} from '../../support/socket-dir.ts'

/** Of the 142 of critest 1.37.0, those that Debian 12's containerd passes with busybox alone, in less than half a second each. */
const cases = readFileSync(new URL('critest-cases.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')

let rig: Containerd
let registry: ImageRegistry
beforeAll(async () => {
  rig = await startContainerd()
  registry = await serveCritestImages(rig)
})
afterAll(async () => {
  await rig?.[Symbol.asyncDispose]()
  await registry?.[Symbol.asyncDispose]()
})

test.each([{name: 'nothing between', open: directly}, ...ways])(
  'serveProxy() with $name passes each case of critest that is in the list',
  async ({open}) => {
    const [critest = ''] = await builtPeers('critest')
    const folder = tempDir()
    await using proxy = await open(rig.endpoint.slice('unix://'.length), folder)
    const {states, output} = await runCritest(critest, `unix://${proxy.path}`, cases, folder)
    expect(cases).toHaveLength(51)
    const others = cases.filter((name) => states.get(name) !== 'passed').map((name) => `${states.get(name) ?? 'unknown'}: ${name}`)
    expect(others, output).toEqual([])
  },
)
