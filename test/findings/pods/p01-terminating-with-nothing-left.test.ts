import {expect, test} from 'vitest'
import type {ContainerState, Pod} from '../../../src/node/pod.ts'
import {findingsOf} from '../../support/brief-findings.ts'
import {atRuntime, ended, fallback, job, jobPod, recordOf, running} from '../../support/ended-pods.ts'
import {driver, gone, podRecord, readySandbox, root, type SmallNode, smallNode, together, volumeDir} from '../../support/small-node.ts'
import {at, logLine} from '../../support/snapshot-builder.ts'

type Change = (node: SmallNode) => unknown

const going = (containers: readonly ContainerState[], deleted: number, more: Partial<Pod> = {}): Change => {
  const pod = jobPod(containers, {deletedAt: at(deleted), ...more})
  return (node) => {
    node.pods.push(pod)
    node.apiPods = [...node.pods]
  }
}
const withoutKubelet: Change = (node) => {
  node.apiPods = node.apiPods?.map((pod) => ({nodeName: 'n1', ...pod}))
  node.without.push('kubelet.pods')
}
const api =
  (pod: Pod): Change =>
  (node) => {
    node.apiPods = [...node.pods.filter(({uid}) => uid !== pod.uid), pod]
  }
const finalizers = ['example.test/hold']
const waiting: ContainerState = {name: 'main', kind: 'regular', state: 'waiting', reason: 'ContainerCreating'}

const found = (version: string | undefined, ...changes: readonly Change[]) =>
  findingsOf(smallNode(together(...changes)), version).filter(({code}) => code === 'P01')

test.each<[string, readonly Change[], string, number | undefined]>([
  ['ended before it was due, ten minutes ago', [going([ended(0, -700)], -600)], 'error', -600],
  ['ended before it was due, two minutes ago', [going([ended(0, -200)], -120)], 'info', -120],
  ['outlived its grace, and ended two minutes ago', [going([ended(137, -120)], -3600)], 'info', -120],
  ['outlived its grace, and ended ten minutes ago', [going([ended(137, -600)], -3600)], 'error', -600],
  ['never ran', [going([waiting], -600, {phase: 'Pending'})], 'error', -600],
  ['never ran, as the API server alone says', [going([waiting], -600), withoutKubelet], 'error', -600],
  [
    'ended as the runtime alone knows',
    [going([fallback], -3600), atRuntime(recordOf('EXITED', -4000), {exitCode: 0, finished: -60})],
    'info',
    undefined,
  ],
  [
    'ended, and the runtime does not say when',
    [going([waiting], -3600), atRuntime(recordOf('EXITED', -4000), {exitCode: 0, finished: -1.8e9})],
    'info',
    undefined,
  ],
  ['was created and never started', [going([waiting], -3600), atRuntime(recordOf('CREATED', -4000))], 'error', -3600],
  ['runs by the word of the kubelet alone', [going([running()], -600)], 'error', undefined],
  ['runs by the word of the API server alone', [going([running()], -600), withoutKubelet], 'info', undefined],
  [
    'ended, and the API server has not heard of it',
    [going([ended(0, -700)], -600), api(jobPod([running()], {deletedAt: at(-600)}))],
    'error',
    -600,
  ],
  ['runs by the word of the kubelet, and a finalizer holds the object', [going([running()], -600, {finalizers})], 'error', undefined],
  ['was deleted before it was made, by a clock that was set', [going([waiting], -9000, {createdAt: at(-600)})], 'error', -600],
])('P01 finds a pod that %s', (_what, changes, severity, since) => {
  expect(found(undefined, ...changes).map((each) => [each.severity, each.subject.uid, each.since])).toEqual([
    [severity, job, since === undefined ? undefined : new Date(at(since)).toISOString().replace('.000Z', 'Z')],
  ])
})

test.each<[string, readonly Change[]]>([
  ['deletion was due less than a minute ago', [going([ended(0, -700)], -59)]],
  ['deletion is due in an hour, as a preStop hook takes its time', [going([running()], 3600), atRuntime(recordOf('RUNNING', -3600))]],
  ['a container runs on', [going([running()], -600), atRuntime(recordOf('RUNNING', -3600))]],
  ['the runtime does not know whether a container runs', [going([running()], -600), atRuntime(recordOf('UNKNOWN', -3600))]],
  ['only a finalizer holds the object', [going([ended(1, -700)], -600, {finalizers})]],
  ['the pod is the mirror of a static one', [going([ended(1, -700)], -600, {staticUid: job})]],
  ['nobody deletes the pod', [(node) => node.pods.push(jobPod([ended(0, -700)], {phase: 'Succeeded'}))]],
  ['the pod is one of another node', [going([ended(0, -700)], -600, {nodeName: 'n2'}), withoutKubelet]],
])('P01 is silent when %s', (_what, changes) => {
  expect(found(undefined, ...changes)).toEqual([])
})

test('P01 does not look when the runtime knows none of the pods that run', () => {
  const snapshot = smallNode(together(going([ended(0, -700)], -600), (node) => Object.assign(node, {sandboxes: [], containers: []})))
  expect(findingsOf(snapshot).filter(({code}) => code === 'P01')).toEqual([])
})

test('P01 counts a running record without a process as not running, and a sandboxed one as running', () => {
  const look = (runtime: string): Change =>
    together(atRuntime(recordOf('RUNNING', -3600)), (node) => {
      node.looks['e1'.repeat(32)] = {process: {state: 'gone'}, runtime}
      node.processes = []
    })
  const of = (runtime: string) => found(undefined, going([running()], -600), look(runtime)).map(({severity}) => severity)
  expect([of('io.containerd.runc.v2'), of('io.containerd.kata.v2')]).toEqual([['error'], []])
})

test.each<[string, Change]>([
  ['the node', (node) => Object.assign(node, {log: [logLine(-60, 'Starting Kubelet Volume Manager')]})],
  ['the kubelet', (node) => Object.assign(node, {process: {pid: 1, program: 'kubelet', startedAt: at(-60), certain: true}})],
])('P01 is info when %s has just started', (_what, change) => {
  expect(found(undefined, going([ended(0, -700)], -600), change).map(({severity}) => severity)).toEqual(['info'])
})

// The pod of A2, as seen on a real kubelet 1.17.3.
const bad = ended(128, -200, {name: 'bad', reason: 'StartError', containerId: 'b', terminatedId: 'b'})
const frozen = (more: Partial<Pod> = {}, due = -240) => going([bad, running('ok')], due, more)
const old = 'Status update on pod default/job-0 aborted: terminated container bad attempted illegal transition to non-terminated state'
const structured = {pod: 'default/job-0', err: 'terminated container "bad" attempted illegal transition to non-terminated state'}
const refused =
  (seconds: readonly number[], text = old, fields = {}): Change =>
  (node) => {
    node.log = seconds.map((each) => logLine(each, text, fields))
  }
const everyResync = [-230, -160, -80, -10]

test.each<[string, readonly Change[], string]>([
  ['again and again for more than three minutes', [frozen(), refused(everyResync)], 'error'],
  [
    'in the structured form',
    [frozen(), refused(everyResync, 'Status update on pod aborted', {...structured, err: structured.err.replaceAll('"', '')})],
    'error',
  ],
  ['for three minutes, as the API server alone says', [frozen(), refused(everyResync), withoutKubelet], 'error'],
  ['once, as happens to a pod that goes', [frozen(), refused([-230])], 'info'],
  ['for a while, and no longer', [frozen(), refused([-900, -800, -700, -650])], 'info'],
  ['of another pod', [frozen(), refused(everyResync, old.replace('job-0', 'job-1'))], 'info'],
  ['of a pod that bore the name before', [frozen({createdAt: at(-20)}), refused([-600, -500, -400, -300, -200, -100])], 'info'],
])('P01 judges a pod whose status the kubelet refuses %s', (_what, changes, severity) => {
  expect(found('1.17.3', ...changes).map((each) => each.severity)).toEqual([severity])
})

test.each<[string, string, readonly Change[], RegExp]>([
  [
    'before the fix, with the lines',
    '1.17.3',
    [frozen(), refused(everyResync)],
    /stale: .*ok still runs.*1\.17\.3 never gets over that. It refused 4 updates/,
  ],
  [
    'before the fix, without the log',
    '1.17.3',
    [frozen({}, -600)],
    /bad has ended and is taken for one that waits.*never gets over that\.$/,
  ],
  ['after the fix, with the lines', '1.26.5', [frozen(), refused(everyResync)], /1\.26\.5 should not do that .*crictl rm/],
  [
    'after the fix, without the log',
    '1.26.5',
    [frozen({}, -600)],
    /^\S+ should have been gone for 10m, .*stale: the kubelet says that ok still runs, and the runtime has no container of the pod\.$/,
  ],
  ['restartPolicy Always', '1.17.3', [frozen({restartPolicy: 'Always'}, -600)], /and the runtime has no container of the pod\.$/],
  ['one container', '1.17.3', [going([running()], -600)], /and the runtime has no container of the pod\.$/],
  [
    'a late status',
    '1.26.5',
    [going([ended(0, -200)], -120), api(jobPod([running()], {deletedAt: at(-120)}))],
    /The status is late: the API server says that main still runs, and the kubelet knows/,
  ],
  [
    'a pod that only the API server has',
    '1.26.5',
    [api(jobPod([ended(0, -700)], {deletedAt: at(-600)}))],
    /The kubelet no longer lists the pod/,
  ],
  ['nothing left at all', '1.26.5', [going([ended(0, -700)], -600)], /Nothing of it is left: the kubelet's state is stale/],
  [
    'a record that is left',
    '1.17.3',
    [going([ended(0, -700)], -600), atRuntime(recordOf('EXITED', -3600))],
    /has not finished: the runtime still has a container of it/,
  ],
])('P01 says why nothing goes on: %s', (_what, version, changes, expected) => {
  const [finding] = found(version, ...changes)
  expect(finding?.message).toMatch(expected)
  expect(finding?.cause).toBeNull()
  expect(finding?.next).toBeTruthy()
})

test('P01 advises to restart the kubelet when nothing holds the pod, and a forced deletion last, with what it loses', () => {
  const [finding] = found(undefined, going([ended(0, -700)], -600))
  expect(finding?.remedy.map(({command}) => command)).toEqual([
    'systemctl restart kubelet',
    'kubectl delete pod -n default job-0 --grace-period=0 --force',
  ])
  expect(finding?.remedy.at(-1)?.loses).toMatch(/StatefulSet.*ReadWriteOnce.*two writers/)
})

const volume = volumeDir(job, 'pv9')
const published: Change = (node) => {
  node.files.push(`${volume}/mount/`)
  node.volData[`${volume}/vol_data.json`] = podRecord('pv9', 'h9')
}
const deadDriver: Change = (node) => {
  const socket = '/var/lib/kubelet/plugins/d.example/csi.sock'
  node.drivers = [{socket, answer: {state: 'refused', why: 'connection refused'}}]
}

test.each<[string, readonly Change[], string]>([
  [
    'a record that cannot be used',
    [published, (node) => Object.assign(node.volData, {[`${volume}/vol_data.json`]: {unreadable: 'it is empty'}})],
    'V02',
  ],
  [
    'an inline volume that is still published',
    [(node) => Object.assign(node.volData, {[`${volume}/vol_data.json`]: podRecord('pv9', 'h9', 'Ephemeral')})],
    'V03',
  ],
  ['a driver that is down', [published, deadDriver], 'C02'],
])('P01 names what holds the pod: %s', (_what, changes, code) => {
  const all = findingsOf(smallNode(together(going([ended(0, -700)], -600), ...changes)))
  const pod = all.find((each) => each.code === 'P01')
  const cause = all.find((each) => each.code === code)
  expect(pod?.cause).toEqual({code, subject: cause?.subject})
  expect(pod?.message).toContain(`${code} ${cause?.name}`)
  expect(pod?.remedy.slice(0, -1)).toEqual(cause?.remedy)
})

test('P01 does not blame a driver of volumes that the pod no longer has', () => {
  expect(found(undefined, going([ended(0, -700)], -600), deadDriver).map(({cause}) => cause)).toEqual([null])
})

test('P01 does not blame a volume when the kubelet refuses the status of the pod', () => {
  const changes = [frozen(), refused(everyResync), published, deadDriver]
  expect(found('1.17.3', ...changes).map(({severity, cause}) => [severity, cause])).toEqual([['error', null]])
})

test('P01 keeps quiet about the pods beside it', () => {
  const beside: Change = (node) => {
    node.pods.push(jobPod([ended(0, -700)], {uid: gone, phase: 'Succeeded'}))
    node.sandboxes.push(readySandbox('job-0', gone))
  }
  expect(found(undefined, going([ended(0, -700)], -600), beside).map(({subject}) => subject.uid)).toEqual([job])
})

// Kubelet 1.37.2: the pod's link and the bound device go before NodeUnpublishVolume is called.
const blockUnlinked: Change = (node) => {
  const devices = 'plugins/kubernetes.io/csi/volumeDevices'
  node.files.push(`${devices}/staging/pv2/`, `${devices}/publish/pv2/${job}`, `pods/${job}/volumeDevices/kubernetes.io~csi/`)
  node.volData[`${devices}/pv2/data/vol_data.json`] = podRecord('pv2', 'h2')
}

test('P01 does not call a pod stale whose raw block volume is unlinked and not unpublished yet', () => {
  const [finding] = found(undefined, going([ended(0, -700)], -600), blockUnlinked)
  expect(finding?.message).toContain('The kubelet has not finished: the volume pv2 is still there.')
  expect(finding?.next).toContain('The kubelet unmounts again')
})

test('P01 of a pod whose raw block volume is unlinked names the driver that does not answer', () => {
  const silent: Change = (node) => {
    node.drivers = [{socket: `${root}/plugins/${driver}/csi.sock`, name: driver, answer: {state: 'refused', why: 'nobody listens'}}]
  }
  const [finding] = found(undefined, going([ended(0, -700)], -600), blockUnlinked, silent)
  expect(finding?.cause).toMatchObject({code: 'C02', subject: {driver}})
})
