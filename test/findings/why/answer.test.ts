import {describe, expect, test} from 'vitest'
import {UserError} from '../../../src/base/errors.ts'
import {contextOf, detectIn} from '../../../src/findings/detect.ts'
import {detectors} from '../../../src/findings/detectors.ts'
import {answersTo} from '../../../src/findings/why/answer.ts'
import type {Answer} from '../../../src/findings/why/chain.ts'
import {parseQuestion} from '../../../src/findings/why/question.ts'
import {profileNearest} from '../../../src/kubelet/profiles.ts'
import type {ContainerState, Pod} from '../../../src/node/pod.ts'
import type {PodEvent} from '../../../src/node/pod-event.ts'
import {PodSandboxState} from '../../../src/wire/gen/cri_pb.ts'
import {
  driver,
  gone,
  podRecord,
  readySandbox,
  root,
  runningContainer,
  runningPod,
  type SmallNode,
  smallNode,
  together,
  web,
  webStaging,
  webVolume,
} from '../../support/small-node.ts'
import {at, logLine, waitingPod} from '../../support/snapshot-builder.ts'

type Change = (node: SmallNode) => unknown

function answers(words: string, change: Change): readonly Answer[] {
  const context = contextOf(
    smallNode((node) => void change(node)),
    profileNearest('1.36.2'),
  )
  return answersTo(parseQuestion(words.split(' ')), context, detectIn(context, detectors).findings)
}

function ask(words: string, change: Change = () => {}) {
  const [answer, ...more] = answers(words, change)
  if (answer === undefined || more.length > 0) throw new Error(`Cannot test as there must be one answer: there are ${more.length + 1}`)
  const {standing, summary, chains} = answer
  return {
    standing,
    summary,
    chains: chains.map(({links}) => links.map(({what, finding}) => (finding === undefined ? what : `${finding.code} ${finding.severity}`))),
    next: chains.flatMap((chain) => chain.next),
    run: chains.flatMap(({remedy}) => remedy.map(({command}) => command)),
    since: chains.map(({links}) => links.map((link) => link.since)),
  }
}

const changePod = (change: Partial<Pod>) => (node: SmallNode) => {
  node.pods = node.pods.map((pod) => (pod.uid === web ? {...pod, ...change} : pod))
}
/** Asked to go so many seconds ago, with a grace of 30 s. */
const deleted = (seconds: number) => changePod({deletedAt: at(30 - seconds), graceMs: 30_000})
const ended: Change = (node) => {
  node.containers = []
  node.sandboxes = []
}
const unpublished: Change = (node) => {
  node.mounts = node.mounts.filter(({id}) => id !== 52)
  node.files = node.files.filter((path) => !path.startsWith(webVolume))
  node.volData = Object.fromEntries(Object.entries(node.volData).filter(([path]) => !path.startsWith(webVolume)))
}
const silentDriver: Change = (node) => {
  node.drivers = [{socket: `${root}/plugins/${driver}/csi.sock`, name: driver, answer: {state: 'refused', why: 'nobody listens'}}]
}
const waiting = (more: Partial<ContainerState>): ContainerState => ({name: 'app', kind: 'regular', state: 'waiting', ...more})

describe('why a pod is Terminating', () => {
  test('its containers may still take their grace period', () => {
    expect(ask('default/web-0', deleted(10))).toMatchObject({
      standing: 'waits',
      chains: [
        [
          'default/web-0 is Terminating: it was deleted 10s ago.',
          'Its containers (app) were told to end and may take their grace period of 30s.',
        ],
      ],
      next: ['it has them killed at 2026-11-30T03:00:20Z'],
      since: [['2026-11-30T02:59:50Z', '2026-11-30T02:59:50Z']],
    })
  })

  test('its containers run on after it', () => {
    expect(ask('default/web-0', deleted(60))).toMatchObject({
      standing: 'waits',
      chains: [[expect.any(String), 'Its containers (app) run, although their grace period ended 30s ago.']],
      next: ['it gives up waiting for StopContainer at 2026-11-30T03:01:30Z, and tries again 10s to 15s later'],
    })
    expect(ask('default/web-0', deleted(3600)).standing).toBe('stuck')
  })

  test('a volume is still published, and the driver is dead', () => {
    const {standing, chains, run} = ask('default/web-0', together(deleted(3600), ended, silentDriver))
    expect(standing).toBe('stuck')
    expect(chains[0]?.at(0)).toBe('default/web-0 is Terminating: it was deleted 1h ago.')
    expect(chains[0]).toContain(
      'Its volume pv1 of d.example is still published: the kubelet holds the pod until NodeUnpublishVolume has gone well.',
    )
    expect(chains[0]?.at(-1)).toBe('C02 error')
    expect(run.join('\n')).not.toMatch(/rm -r/)
  })

  test('a raw block volume is unlinked, and the driver that is to unpublish it is dead', () => {
    const devices = 'plugins/kubernetes.io/csi/volumeDevices'
    const unlinked: Change = (node) => {
      node.files.push(`${devices}/staging/pv2/`, `${devices}/publish/pv2/${web}`)
      node.volData[`${devices}/pv2/data/vol_data.json`] = podRecord('pv2', 'h2')
    }
    const {standing, chains} = ask('default/web-0', together(deleted(3600), ended, unpublished, unlinked, silentDriver))
    expect(standing).toBe('stuck')
    expect(chains[0]).toContain(
      'Its volume pv2 of d.example is still published: the kubelet holds the pod until NodeUnpublishVolume has gone well.',
    )
    expect(chains[0]?.at(-1)).toBe('C02 error')
  })

  test('a volume is still published, and the log tells when the kubelet tries again', () => {
    const failed: Change = (node) => {
      const target = `${root}/${webVolume}/mount`
      node.log = [
        logLine(-70, 'kubernetes.io/csi: calling NodeUnpublishVolume rpc', {volID: 'h1', targetPath: target}),
        logLine(
          -60,
          `Operation for "{volumeName:kubernetes.io/csi/${driver}^h1 podName:${web} nodeName:}" failed. No retries permitted until 2026-11-30 03:01:02 +0000 UTC m=+1 (durationBeforeRetry 2m2s). Error: UnmountVolume.TearDown failed for volume "data" (UniqueName: "kubernetes.io/csi/${driver}^h1") pod "${web}" (UID: "${web}") : kubernetes.io/csi: Unmounter.TearDownAt failed: rpc error: code = Internal desc = busy`,
        ),
      ]
    }
    expect(ask('default/web-0', together(deleted(120), ended, failed))).toMatchObject({
      chains: [[expect.any(String), expect.stringContaining('it last failed with Internal')]],
      next: ['it calls NodeUnpublishVolume again at 2026-11-30T03:01:02Z'],
    })
  })

  test('a finalizer is left: it is not for the node to do', () => {
    const {standing, summary, chains, run} = ask(
      'default/web-0',
      together(deleted(3600), ended, unpublished, changePod({finalizers: ['example.test/guard']})),
    )
    expect([standing, summary]).toEqual(['elsewhere', 'default/web-0 is Terminating: the node has done its part.'])
    expect(chains).toEqual([
      [
        'default/web-0 is Terminating: it was deleted 1h ago.',
        "The object waits for its finalizer example.test/guard: this is not the node's doing, which has nothing of the pod left.",
      ],
    ])
    expect(run[0]).toBe("kubectl -n default get pod web-0 -o jsonpath='{.metadata.finalizers}'")
  })
})

describe('why a pod is Terminating, where it is not so simple', () => {
  test('a grace that no clock can tell is the longest that one can', () => {
    const {since} = ask('default/web-0', changePod({deletedAt: at(-60), graceMs: 9e18}))
    expect(since[0]?.[0]).toBe('0000-01-01T00:00:00Z')
  })

  test('its deletion lies ahead of the clock', () => {
    expect(ask('default/web-0', deleted(-3600)).chains[0]?.[0]).toBe(
      'default/web-0 is Terminating: it was deleted 1h from now, by this clock.',
    )
  })

  test('a finalizer that every Job has does not hide what the node has yet to do', () => {
    const another: Change = (node) => {
      node.pods.push(runningPod('other-0', gone, []))
      node.containers.push(runningContainer('app', gone))
      node.sandboxes.push(readySandbox('other-0', gone))
    }
    const end: Partial<ContainerState> = {
      state: 'terminated',
      exitCode: 0,
      reason: 'Completed',
      containerId: 'x',
      terminatedId: 'x',
      finishedAt: at(-3500),
    }
    const over = changePod({finalizers: ['batch.kubernetes.io/job-tracking'], containers: [waiting(end)]})
    const job = together(deleted(3600), ended, another, over)
    const {standing, chains} = ask('default/web-0', job)
    expect(standing).toBe('stuck')
    expect(chains).toEqual([[expect.any(String), 'P01 error', expect.stringContaining('Its volume pv1 of d.example is still published')]])
  })

  test('it is the mirror of a static pod', () => {
    const mirror = together(deleted(3600), ended, changePod({staticUid: '0123456789abcdef0123456789abcdef'}))
    expect(ask('default/web-0', mirror)).toMatchObject({
      standing: 'elsewhere',
      chains: [[expect.any(String), expect.stringMatching(/^It is the mirror/)]],
    })
  })
})

describe('why a pod does not start', () => {
  const pending = (more: Partial<Pod>): Change =>
    together(ended, unpublished, (node: SmallNode) => {
      node.pods = [waitingPod('web-0', web, ['data'], more)]
    })

  test('it waits for the volume of its claim', () => {
    expect(ask('default/web-0', pending({}))).toMatchObject({
      standing: 'waits',
      chains: [['default/web-0 is Pending.', 'It waits for the volume of its claim data.']],
      since: [['2026-11-30T03:00:00Z', '2026-11-30T03:00:00Z']],
    })
  })

  test('no node was found for it: that is for the scheduler to do', () => {
    const change: Change = (node) => {
      node.apiPods = [...node.pods, waitingPod('new-0', gone, [])]
    }
    expect(ask('default/new-0', change)).toMatchObject({
      standing: 'elsewhere',
      chains: [['default/new-0 is Pending.', 'No node was found for it yet: that is for the scheduler to do.']],
    })
  })

  test('the runtime has no sandbox for it', () => {
    const change = together(ended, changePod({phase: 'Pending', containers: [waiting({reason: 'ContainerCreating'})]}))
    expect(ask('default/web-0', change).chains).toEqual([
      [
        'default/web-0 is Pending.',
        'Its volume is published, and the runtime has no sandbox for the pod: the sandbox is being made, or the kubelet has not noted it as mounted.',
      ],
    ])
  })

  test('the sandbox of a mirror pod has the UID of its static pod', () => {
    const hash = '0123456789abcdef0123456789abcdef'
    const change: Change = (node) => {
      node.apiPods = [waitingPod('etcd-n1', gone, [], {configSource: 'file', staticUid: hash, nodeName: 'n1'})]
      node.sandboxes.push(readySandbox('etcd-n1', hash))
      node.without = ['kubelet.pods']
    }
    expect(ask('default/etcd-n1', change).chains[0]?.at(-1)).toBe('Its sandbox is there, and no container was started yet.')
  })

  const failed = (reason: string, seconds: number): PodEvent => ({
    ...{namespace: 'default', name: 'web-0', uid: web, type: 'Warning', count: 3, reason, lastAt: at(seconds)},
    message: 'MountVolume.SetUp failed for volume "s" : secret "nope" not found',
  })
  const noClaim = together(ended, unpublished, (node: SmallNode) => {
    node.pods = [{...waitingPod('web-0', web, []), volumes: [{name: 's', kind: 'secret'}]}]
  })

  test.each<[what: string, events: PodEvent[]]>([
    ['a moment ago', [failed('FailedMount', -10)]],
    ['after a sandbox failed', [failed('FailedMapVolume', -10), failed('FailedCreatePodSandBox', -60)]],
  ])('a volume that no directory tells of could not be mounted %s', (_what, events) => {
    const answer = ask(
      'default/web-0',
      together(noClaim, (node) => Object.assign(node, {events})),
    )
    expect(answer.standing).toBe('waits')
    expect(answer.chains).toEqual([['default/web-0 is Pending.', 'It waits for its volumes: the last try to mount one of them failed.']])
    expect(answer.next).toEqual([expect.stringContaining('its worker gives up waiting after 2m 3s')])
  })

  test.each<[what: string, events: PodEvent[], change: Change]>([
    ['long ago', [failed('FailedMount', -300)], () => {}],
    ['before a sandbox failed', [failed('FailedMount', -60), failed('FailedCreatePodSandBox', -10)], () => {}],
    ['before its sandbox was made', [failed('FailedMount', -10)], (node) => node.sandboxes.push(readySandbox('web-0', web))],
    ['never', [], () => {}],
  ])('it does not wait for a volume that could not be mounted %s', (_what, events, change) => {
    const answer = ask(
      'default/web-0',
      together(noClaim, (node) => Object.assign(node, {events}), change),
    )
    expect(answer.chains.flat().join()).toContain('andbox')
  })

  test('its init container runs', () => {
    const init: ContainerState = {name: 'setup', kind: 'init', state: 'running', startedAt: at(-60)}
    const change = changePod({phase: 'Pending', containers: [waiting({reason: 'PodInitializing'}), init]})
    expect(ask('default/web-0', change)).toMatchObject({
      chains: [['default/web-0 is Pending.', 'Its init container setup runs: the others start when it has ended.']],
      since: [[expect.any(String), '2026-11-30T02:59:00Z']],
    })
  })

  test.each<[what: string, container: Partial<ContainerState>, next: string]>([
    [
      'a crash, with the back-off told',
      {
        reason: 'CrashLoopBackOff',
        message: 'back-off 2m40s restarting failed container=app pod=web-0_default(u)',
        last: {exitCode: 1, reason: 'Error', finishedAt: at(-30)},
      },
      'it starts the container again at the earliest at 2026-11-30T03:02:10Z',
    ],
    [
      'a crash',
      {reason: 'CrashLoopBackOff'},
      'it starts the container again when the back-off ends: 10s, doubled with each crash, 5m at most',
    ],
    [
      'a command that is not there',
      {reason: 'RunContainerError', message: 'exec: "/nope": no such file or directory'},
      'it starts the container again when the back-off ends: 10s, doubled with each crash, 5m at most',
    ],
    ['an image', {reason: 'ImagePullBackOff'}, 'it pulls the image again: after 10s, doubled with each failure, 5m at most'],
    [
      'an image that is never pulled',
      {reason: 'ErrImageNeverPull'},
      'it looks again 10s to 15s after each error; it cannot succeed as it is',
    ],
    [
      'a configuration',
      {reason: 'CreateContainerConfigError', message: 'secret "db" not found'},
      'it tries again with the next sync of the pod: 10s to 15s after an error, else 60s to 90s',
    ],
  ])('its container waits for %s', (_what, container, next) => {
    const answer = ask('default/web-0', changePod({containers: [waiting(container)]}))
    expect(answer.standing).toBe(container.reason === 'ErrImageNeverPull' ? 'stuck' : 'waits')
    expect(answer.chains).toHaveLength(1)
    expect(answer.chains[0]?.[1]).toContain(`Container app waits: ${container.reason}`)
    expect(answer.next).toEqual([next])
    expect(answer.run).toHaveLength(1)
  })
})

const ends = (more: Partial<ContainerState>): ContainerState => ({
  ...{name: 'app', kind: 'regular', state: 'terminated', terminatedId: 'c1', containerId: 'c1', startedAt: at(-90), finishedAt: at(-30)},
  ...more,
})

describe('why, where a container has ended', () => {
  test.each<[what: string, pod: Partial<Pod>]>([
    ['with an error', {containers: [ends({exitCode: 1, reason: 'Error'})]}],
    ['with an error, and is started after one', {restartPolicy: 'OnFailure', containers: [ends({exitCode: 1})]}],
    ['and is always started', {restartPolicy: 'Always', containers: [ends({exitCode: 0})]}],
    ['before the others start', {phase: 'Pending', containers: [ends({kind: 'init', exitCode: 2})]}],
  ])('it waits for its next start: %s', (_what, pod) => {
    const answer = ask('default/web-0', together(ended, changePod(pod)))
    expect(answer.standing).toBe('waits')
    expect(answer.chains).toEqual([
      [
        expect.stringMatching(/^default\/web-0 is /),
        expect.stringMatching(/^Container app has ended with .* and is to be started again\.$/),
      ],
    ])
    expect(answer.since[0]?.[1]).toBe('2026-11-30T02:59:30Z')
    expect(answer.next[0]).toContain('it starts the container again')
    expect(answer.run).toEqual(['kubectl -n default logs web-0 -c app'])
  })

  test.each<[what: string, pod: Partial<Pod>]>([
    ['well, and is started after an error only', {restartPolicy: 'OnFailure', containers: [ends({exitCode: 0})]}],
    ['and is never started again', {restartPolicy: 'Never', containers: [ends({exitCode: 1})]}],
    ['and has rules of its own', {ownRestarts: ['app'], containers: [ends({exitCode: 1})]}],
    ['well, before the others', {containers: [ends({kind: 'init', exitCode: 0})]}],
    ['in a pod that is over', {phase: 'Failed', containers: [ends({exitCode: 1})]}],
    ['for those who looked into the pod', {containers: [ends({kind: 'ephemeral', exitCode: 1})]}],
  ])('it does not wait for a start: %s', (_what, pod) => {
    expect(ask('default/web-0', together(ended, changePod(pod))).standing).toBe('well')
  })
})

describe('why, where nothing is wrong or too little is known', () => {
  test('a running pod', () => {
    expect(ask('web-0')).toEqual({
      standing: 'well',
      summary: 'default/web-0 is Running: nothing that was seen is wrong with it.',
      chains: [],
      next: [],
      run: [],
      since: [],
    })
  })

  test('a static pod is one pod, whatever its mirror is called', () => {
    const uid = '0123456789abcdef0123456789abcdef'
    const change: Change = (node) => {
      node.pods.push(runningPod('etcd-n1', uid, [], {configSource: 'file', staticUid: uid}))
      node.apiPods = [...node.pods.slice(0, 1), runningPod('etcd-n1', gone, [], {configSource: 'file', staticUid: uid, nodeName: 'n1'})]
      node.sandboxes.push(readySandbox('etcd-n1', uid))
    }
    expect(answers('default/etcd-n1', change)).toHaveLength(1)
    // Nor where the mirror alone is seen.
    expect(
      answers(
        'etcd-n1',
        together(change, (node) => node.without.push('kubelet.pods')),
      ),
    ).toHaveLength(1)
  })

  test('a healthy pod has nothing to do with a driver that is none of its own', () => {
    const other: Change = (node) => {
      node.drivers = [{socket: '/x/csi.sock', name: 'other.example', answer: {state: 'refused', why: 'nobody listens'}}]
    }
    expect(ask('web-0', other).standing).toBe('well')
  })

  test('a pod of a name that is in two namespaces', () => {
    const two: Change = (node) => node.pods.push(runningPod('web-0', gone, [], {namespace: 'shop'}))
    expect(() => answers('web-0', two)).toThrow('there is one in default and shop')
    expect(ask('shop/web-0', two).standing).toBe('well')
  })

  test('two pods of one name, the old one going: two answers', () => {
    const two: Change = (node) => {
      deleted(10)(node)
      node.pods.push(waitingPod('web-0', gone, []))
    }
    expect(answers('default/web-0', two).map(({subject}) => subject.uid)).toEqual([web, gone])
  })

  const left: Change = (node) => node.sandboxes.push(readySandbox('old-0', gone, PodSandboxState.SANDBOX_NOTREADY))

  test('a pod that only the runtime knows', () => {
    expect(ask('default/old-0', left)).toMatchObject({
      summary: 'default/old-0 is known to the runtime only.',
      chains: [[`default/old-0 (UID ${gone}) is at the runtime, and the kubelet does not list it.`]],
      standing: 'waits',
    })
  })

  test('a pod that the runtime knows, where nobody asked the kubelet: nothing is said of what was not seen', () => {
    const unasked = together(left, (node: SmallNode) => void node.without.push('kubelet.pods'))
    expect(ask('default/old-0', unasked)).toMatchObject({
      summary: 'default/old-0 is known to the runtime, and whether to anybody else was not seen.',
      chains: [[`default/old-0 (UID ${gone}) is at the runtime, and the kubelet's list of pods was not read.`]],
      standing: 'unknown',
      next: [],
    })
  })

  test('a healthy pod that something was noted of', () => {
    const twice: Change = (node) => {
      const other = runningContainer('app', web, -10)
      node.containers.push({...other, id: 'second', metadata: {...other.metadata, attempt: 1} as typeof other.metadata})
    }
    const {standing, summary, chains} = ask('web-0', twice)
    expect([standing, summary]).toEqual(['well', 'default/web-0 is Running: what is told below may still end well.'])
    expect(chains.map((chain) => chain.at(-1))).toEqual(['R06 info'])
  })

  test('what is wrong with the records of a pod is no reason for its Terminating, and is told besides', () => {
    const early = together(deleted(10), changePod({createdAt: at(7200)}))
    const {standing, chains} = ask('web-0', early)
    expect(standing).toBe('waits')
    expect(chains.map((chain) => chain.at(-1))).toEqual([expect.stringMatching(/^Its containers/), 'R10 warning'])
  })

  test('a pod that nobody knows is a wrong question, and one that nobody could be asked about is not', () => {
    expect(() => answers('default/nope', () => {})).toThrow(UserError)
    const codes = [() => {}, (node: SmallNode) => void node.without.push('kubelet.pods')].map((change) => {
      try {
        answers('default/nope', change)
        return undefined
      } catch (error) {
        return error instanceof UserError ? error.exit : error
      }
    })
    expect(codes).toEqual([2, 3])
  })
})

describe('why a claim', () => {
  test('it is used by a pod, whose chain it heads', () => {
    const {standing, chains, summary} = ask('PVC default/data', together(deleted(10)))
    expect(standing).toBe('waits')
    expect(summary).toContain('The claim default/data is used here by web-0.')
    expect(chains[0]?.slice(0, 2)).toEqual([
      'The claim default/data is used by default/web-0, as the volume pv1.',
      'default/web-0 is Terminating: it was deleted 10s ago.',
    ])
  })

  test('a healthy pod uses it', () => {
    expect(ask('PVC default/data')).toMatchObject({standing: 'well', chains: []})
  })

  test('no pod of this node uses it', () => {
    expect(ask('PVC default/other')).toMatchObject({
      standing: 'elsewhere',
      chains: [['No pod of this node uses the claim default/other.']],
      run: ['kubectl -n default describe pvc other'],
    })
  })

  test('the claim of another namespace is another claim', () => {
    expect(ask('PVC shop/data').standing).toBe('elsewhere')
  })
})

describe('why a path', () => {
  test.each<[path: string, summary: string]>([
    [`${root}/${webVolume}/mount`, `${root}/${webVolume}/mount belongs to pv1 of d.example of default/web-0: nothing was found about it.`],
    [
      `${root}/${webStaging}/globalmount`,
      `${root}/${webStaging}/globalmount is where volume h1 of d.example is staged: nothing was found about it.`,
    ],
    [
      `${root}/pods/${web}/etc-hosts`,
      `${root}/pods/${web}/etc-hosts belongs to the directory of default/web-0: nothing was found about it.`,
    ],
    [
      `${root}/pods/${web}/nope`,
      `${root}/pods/${web}/nope belongs to the directory of default/web-0 and is not there: nothing was found about it.`,
    ],
    [root, `${root} is the kubelet's root: nothing was found about it.`],
  ])('%s', (path, summary) => {
    expect(ask(path).summary).toBe(summary)
  })

  test('the directory of a pod that is gone leads to its finding, from above and from within', () => {
    const left: Change = (node) => {
      node.files.push(`pods/${gone}/volumes/kubernetes.io~empty-dir/x/`)
      // Pods that the API server has: the kubelet's list is not that of one that has just started.
    }
    for (const path of [`${root}/pods/${gone}`, `${root}/pods/${gone}/volumes/kubernetes.io~empty-dir/x`])
      expect(ask(path, left)).toMatchObject({standing: 'stuck', chains: [[expect.stringContaining('which is gone'), 'V01 warning']]})
  })

  test('what is in the directory of a pod that goes leads to what holds the pod', () => {
    const {standing, chains} = ask(`${root}/${webVolume}/mount`, together(deleted(3600), ended, silentDriver))
    expect(standing).toBe('stuck')
    expect(chains[0]?.[0]).toContain('belongs to pv1')
    expect(chains[0]?.at(-1)).toBe('C02 error')
  })

  test('the directory of a pod that may be gone or not', () => {
    const doubt: Change = (node) => {
      node.files.push(`pods/${gone}/etc-hosts`)
      node.pods = node.pods.map((pod) => ({...pod, configSource: 'file'}))
    }
    expect(ask(`${root}/pods/${gone}`, doubt).standing).toBe('unknown')
  })

  test('a path elsewhere is a wrong question', () => {
    expect(() => answers('/etc/passwd', () => {})).toThrow("must lie below the kubelet's root /var/lib/kubelet")
    expect(() => answers(`${root}/../passwd`, () => {})).toThrow(UserError)
  })

  test('the socket of a dead driver', () => {
    const {standing, chains} = ask(`${root}/plugins/${driver}/csi.sock`, silentDriver)
    expect(standing).toBe('stuck')
    expect(chains[0]?.at(-1)).toBe('C02 error')
  })
})
