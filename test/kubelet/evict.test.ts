// The eviction manager takes active pods only: one that has ended is left as it is.
import {describe, expect, test} from 'vitest'
import {profileOf, profileVersions} from '../../src/kubelet/profiles.ts'
import {startLabNode} from '../../src/lab/lab-node.ts'
import {seenPod} from '../../src/timeline/seen-pod.ts'

const start = Date.UTC(2026, 0, 1)

async function phaseAfterEviction(version: string, command: readonly string[]): Promise<string | undefined> {
  const node = startLabNode({profile: profileOf(version), seed: 1, start})
  void node.client.createPod({metadata: {name: 'web-0'}, spec: {restartPolicy: 'Never', containers: [{name: 'main', command}]}})
  await node.run(start + 10_000)
  node.kubelet.evict('default/web-0', 'The node was low on resource: memory.')
  await node.run(start + 60_000)
  const last = node.timeline.events.findLast((event) => event.kind === 'object')
  return last?.kind === 'object' ? seenPod(last).status.phase : undefined
}

describe.each(profileVersions)('evict() of %s', (version) => {
  test('leaves a pod that has succeeded as it is', async () => {
    expect(await phaseAfterEviction(version, ['sh', '-c', 'exit 0'])).toBe('Succeeded')
  })

  test('ends a pod that runs', async () => {
    expect(await phaseAfterEviction(version, ['sleep', 'infinity'])).toBe('Failed')
  })
})
