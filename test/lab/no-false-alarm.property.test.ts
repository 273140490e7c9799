// Pods that come and go on a node where nothing is wrong: `check` has nothing to complain of, at any moment.
import fc from 'fast-check'
import {expect, test, vi} from 'vitest'
import type {Finding} from '../../src/findings/finding.ts'
import type {BoundClaim} from '../../src/kubelet/pod.ts'
import {profileOf} from '../../src/kubelet/profiles.ts'
import type {PodManifest} from '../../src/lab/api-server/pod-manifest.ts'
import {type LabNode, startLabNode} from '../../src/lab/lab-node.ts'
import {lookedAt} from '../support/looked-at.ts'

/** Other work on the machine. */
vi.setConfig({testTimeout: 60_000})

const start = Date.UTC(2026, 0, 1)
const moment = fc.integer({min: 1, max: 120_000})

const commands = [
  ['sh', '-c', 'exit 0'],
  ['sh', '-c', 'exit 1'],
  ['sh', '-c', 'sleep 5; exit 2'],
  ['sh', '-c', "trap 'exit 0' TERM; while :; do sleep 1; done"],
  ['sh', '-c', "trap '' TERM; while :; do sleep 1; done"],
  ['sh', '-c', "trap 'sleep 8; exit 3' TERM; sleep infinity"],
  ['sleep', 'infinity'],
  ['no-such-command'],
]

const container = fc.record({
  command: fc.constantFrom(...commands),
  image: fc.constantFrom('busybox', 'busybox', 'registry.invalid/nothing:1'),
})

const pod = fc.record({
  at: fc.integer({min: 0, max: 60_000}),
  restartPolicy: fc.constantFrom('Always', 'OnFailure', 'Never'),
  terminationGracePeriodSeconds: fc.constantFrom(1, 5, 30),
  deadline: fc.option(fc.integer({min: 5, max: 60})),
  containers: fc.array(container, {minLength: 1, maxLength: 3}),
  isHeld: fc.boolean(),
  deletedAfter: fc.option(moment),
  grace: fc.option(fc.constantFrom(2, 40)),
  evictedAfter: fc.option(moment, {freq: 6}),
  volumes: fc.uniqueArray(fc.constantFrom('files', 'device', 'more'), {maxLength: 2}),
})

const driver = 'csi.example.com'
const claims = ['files', 'device', 'more'].map(
  (name): BoundClaim => ({
    namespace: 'default',
    name,
    volumeName: `pv-${name}`,
    driver,
    volumeHandle: `vol-${name}`,
    volumeMode: name === 'device' ? 'Block' : 'Filesystem',
  }),
)

type Life = typeof pod extends fc.Arbitrary<infer Value> ? Value : never

function manifestOf(
  {restartPolicy, terminationGracePeriodSeconds, deadline, containers, isHeld, volumes}: Life,
  name: string,
): PodManifest {
  return {
    metadata: {name, ...(isHeld ? {finalizers: ['example.com/hold']} : {})},
    spec: {
      restartPolicy,
      terminationGracePeriodSeconds,
      ...(deadline === null ? {} : {activeDeadlineSeconds: deadline}),
      volumes: volumes.map((claimName) => ({name: claimName, persistentVolumeClaim: {claimName}})),
      containers: containers.map((each, index) => ({name: `c${index}`, ...each})),
    },
  }
}

/** What cannot be done, as the pod is gone or the kubelet is down, is not done. */
async function attempt(act: () => unknown): Promise<void> {
  try {
    await act()
  } catch {
    // Its moment has passed.
  }
}

function actsOf(lives: readonly Life[], restart: number | null, node: LabNode): readonly (readonly [at: number, act: () => unknown])[] {
  const acts = lives.flatMap((life, index): [number, () => unknown][] => {
    const name = `p${index}`
    const {at, deletedAfter, grace, evictedAfter} = life
    return [
      [at, () => node.client.createPod(manifestOf(life, name))],
      ...(deletedAfter === null
        ? []
        : [
            [at + deletedAfter, () => node.client.deletePod(`default/${name}`, ...(grace === null ? [] : [grace]))] as [
              number,
              () => unknown,
            ],
          ]),
      ...(evictedAfter === null
        ? []
        : [[at + evictedAfter, () => node.kubelet.evict(`default/${name}`, 'memory')] as [number, () => unknown]]),
    ]
  })
  if (restart !== null) acts.push([restart, () => node.kubelet.restart(5000)])
  return acts.toSorted(([one], [other]) => one - other)
}

/** An end that the kubelet could not read it makes up, today as ever: that is so, and no false alarm. */
const isMadeUp = ({code, severity}: Finding): boolean => code === 'P03' && severity === 'warning'

test.each(['1.18.2', '1.21.2', '1.26.5', '1.36.2'])('detect() raises no alarm on a lab without a fault, kubelet %s', async (version) => {
  await fc.assert(
    fc.asyncProperty(fc.array(pod, {minLength: 1, maxLength: 5}), fc.option(moment), fc.integer(), async (lives, restart, seed) => {
      const alarms: string[] = []
      const node = lookedAt(
        startLabNode({profile: profileOf(version), seed, start, drivers: [{name: driver}], claims}),
        () => 1000,
        ({at, findings}) => {
          for (const finding of findings) {
            if (finding.severity !== 'info' && !isMadeUp(finding))
              alarms.push(`${(at - start) / 1000} s: ${finding.code} ${finding.message}`)
          }
        },
      )
      for (const [at, act] of actsOf(lives, restart, node)) {
        await node.run(start + at)
        void attempt(act)
      }
      await node.run(start + 240_000)
      expect(alarms).toEqual([])
    }),
    {numRuns: 6},
  )
})
