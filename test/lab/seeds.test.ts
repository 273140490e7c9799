// The whole of it, with the model's own kubelet, faults and a restart: the same seed makes the same bytes.
import {expect, test} from 'vitest'
import {delay} from '../../src/faults/delay.ts'
import {duplicate} from '../../src/faults/duplicate.ts'
import {execThenError} from '../../src/faults/exec-then-error.ts'
import {loseReply} from '../../src/faults/lose-reply.ts'
import type {Rule} from '../../src/faults/rule.ts'
import {profileOf, profileVersions} from '../../src/kubelet/profiles.ts'
import {startLabNode} from '../../src/lab/lab-node.ts'

const start = Date.UTC(2020, 0, 1)

const rules: readonly Rule[] = [
  {name: 'lost', match: {to: 'cri', method: 'StopPodSandbox'}, skip: 2, limit: 2, fault: loseReply()},
  {name: 'twice', match: {to: 'cri', method: 'StartContainer'}, limit: 1, fault: duplicate()},
  {name: 'slow', match: {to: 'api', method: 'PATCH pod/status'}, skip: 3, limit: 10, fault: delay(300)},
  {name: 'failed', match: {to: 'api', method: 'DELETE pod'}, limit: 1, fault: execThenError('Conflict')},
]

async function run(version: string, seed: number) {
  const lab = startLabNode({profile: profileOf(version), seed, start, rules})
  const scripts = ['exit 1', "trap 'exit 3' TERM; while :; do sleep 1; done", "trap '' TERM; sleep infinity", 'sleep 3']
  for (const [index, script] of scripts.entries()) {
    const containers = [{name: 'c', command: ['sh', '-c', script]}, {name: 'd'}]
    const restartPolicy = index % 2 === 0 ? 'Never' : 'Always'
    void lab.client.createPod({
      metadata: {name: `p${index}`, finalizers: index === 0 ? ['example.com/hold'] : []},
      spec: {restartPolicy, containers},
    })
  }
  await lab.run(start + 7000)
  for (const index of scripts.keys()) void lab.client.deletePod(`default/p${index}`, 5)
  await lab.run(start + 9000)
  lab.kubelet.restart(3000)
  await lab.run(start + 200_000)
  return lab.timeline.events
}

test.each(profileVersions)('startLabNode() with %s does the same for the same seed, and not for another', async (version) => {
  const first = await run(version, 11)
  expect(JSON.stringify(await run(version, 11))).toBe(JSON.stringify(first))
  expect(JSON.stringify(await run(version, 12))).not.toBe(JSON.stringify(first))
  const faults = new Set(first.flatMap((event) => (event.kind === 'call' && event.fault !== undefined ? [event.fault] : [])))
  expect([...faults].sort()).toEqual(['failed', 'lost', 'slow', 'twice'])
})

test.each(profileVersions)('startLabNode() with %s ends each call once, not before it began', async (version) => {
  const calls = (await run(version, 13)).flatMap((event) => (event.kind === 'call' ? [event] : []))
  expect(calls.length).toBeGreaterThan(100)
  expect(calls.filter(({at, endedAt, outcome}) => (endedAt === undefined) !== (outcome === undefined) || (endedAt ?? at) < at)).toEqual([])
})
