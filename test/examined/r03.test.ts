import {expect, test} from 'vitest'
import {absent, failed, read} from '../../src/node/reading.ts'
import {ContainerState} from '../../src/wire/gen/cri_pb.ts'
import {expectAtMostInfo, expectNone, expectOnly, expectSilent, reportOf} from '../support/examined/expect.ts'
import {db, gone, healthy, proxy, web} from '../support/examined/healthy.ts'
import {ago, day, type ExaminedNode, minute, scopeOf} from '../support/examined/node.ts'
import {job} from '../support/examined/pictures.ts'
import {addContainer, addProcess, addSandbox, processGone} from '../support/examined/runtime.ts'
import {forgotten, forgottenId as lost, runsOn} from '../support/examined/runtime-pictures.ts'

/** Above info there is R03, and what says the same of its sandbox. */
function expectOwnerless(node: ExaminedNode): void {
  const report = reportOf(node)
  const above = report.findings.filter(({severity}) => severity !== 'info')
  expect(above.filter(({code}) => code !== 'R02').map(({code, severity}) => `${code} ${severity}`)).toEqual(['R03 critical'])
}

test('R03 containerd#8285: a container of a pod that went two hours ago runs on', () => {
  const node = healthy(runsOn)
  expectOwnerless(node)
  const found = reportOf(node).findings.filter(({code}) => code === 'R03')
  expect(found).toHaveLength(1)
  expect(found[0]?.subject).toMatchObject({kind: 'Pod', uid: gone})
  expect(JSON.stringify(found)).toContain('c-gone')
})

test('R03 containerd#13784: processes of a container that the runtime does not list', () => {
  const report = expectOnly(healthy(forgotten), ['R03', 'critical'])
  expect(JSON.stringify(report.findings)).toContain(lost)
})

test('R03 look-alike: deleted with --force 20 s ago, it runs on for its grace', () => {
  expectAtMostInfo(
    healthy((node) => {
      runsOn(node)
      node.dir('pods', 20)
      node.says(20, 'I', `"SyncLoop REMOVE" source="api" pods=["shop/last-0"]`)
    }),
  )
})

test('R03 look-alike: an agent of the host in the cgroup of all pods, and what keeps a container (conmon)', () => {
  expectSilent(
    healthy((node) => {
      addProcess(node, '/kubepods.slice/agent.service', day)
      addProcess(node, `/kubepods.slice/kubepods-burstable.slice/crio-conmon-${lost}.scope`, day)
      addProcess(node, `/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod${web.replaceAll('-', '_')}.slice`, day)
    }),
  )
})

test('R03 look-alike: containers of docker and podman beside the kubelet', () => {
  expectSilent(
    healthy((node) => {
      addProcess(node, `/system.slice/docker-${lost}.scope`, day)
      addProcess(node, `/machine.slice/libpod-${lost}.scope`, day)
      addProcess(node, `/docker/${lost}`, day)
    }),
  )
})

test('R03 look-alike: crictl made the container, without the labels of a kubelet', () => {
  const node = healthy((each) => {
    addSandbox(each, {uid: 'hdishd83djaidwnduwk28bcsb', id: 's-crictl', labelled: false, ready: true})
    addContainer(each, {uid: 'hdishd83djaidwnduwk28bcsb', id: 'c-crictl', sandbox: 's-crictl'})
  })
  node.containers = node.containers.map((each) => (each.id === 'c-crictl' ? {...each, labels: {}, annotations: {}} : each))
  expectAtMostInfo(node)
})

test('R03 look-alike: a kubelet that has started a minute ago does not list all of its pods yet', () => {
  const node = healthy(runsOn)
  node.kubeletProcess = {pid: 812, program: 'kubelet', startedAt: ago(minute), sameNetwork: true, certain: true}
  expectAtMostInfo(node)
})

test.each(['kubelet', 'API server'])('R03 only the %s knows the pod', (who) => {
  const node = healthy((each) => {
    runsOn(each)
    each.pod('last-0', gone, [])
  })
  if (who === 'kubelet') node.apiPods = node.apiPods.filter(({uid}) => uid !== gone)
  else node.pods = node.pods.filter(({uid}) => uid !== gone)
  expectNone(node, 'R03')
})

test('R03 nothing tells since when the pod is gone: at most info', () => {
  const node = healthy(runsOn)
  node.dir('pods', null)
  node.log = []
  node.readings['kubelet.log'] = absent('not captured')
  expectAtMostInfo(node)
})

test('R03 its process is gone: it is R08, and nothing runs', () => {
  const node = healthy((each) => {
    runsOn(each)
    processGone(each, 'c-gone')
  })
  expectNone(node, 'R03')
  expect(reportOf(node).findings.map(({code}) => code)).toContain('R08')
})

test.each([ContainerState.CONTAINER_EXITED, ContainerState.CONTAINER_CREATED, ContainerState.CONTAINER_UNKNOWN, 9 as ContainerState])(
  'R03 the state of the container is %d: it does not run',
  (state) => {
    const node = healthy((each) => {
      runsOn(each)
      each.containers = each.containers.map((container) => (container.id === 'c-gone' ? {...container, state} : container))
    })
    expectNone(node, 'R03')
  },
)

test('R03 crio#4693: its sandbox is not in the list', () => {
  const node = healthy(runsOn)
  node.sandboxes = node.sandboxes.filter(({metadata}) => metadata?.uid !== gone)
  expectOwnerless(node)
})

test('R03 containerd#11029: its sandbox is not ready', () => {
  const node = healthy((each) => addContainer(each, {uid: gone, id: 'c-gone', sandbox: addSandbox(each, {uid: gone})}))
  expectOwnerless(node)
})

test('R03 the containers of kata: no pid can be looked up', () => {
  const node = healthy(runsOn)
  for (const {id} of node.containers) node.containerLooks.set(id, {runtime: 'io.containerd.kata.v2', pid: 0})
  const snapshot = node.snapshot()
  const looks = snapshot.readings['runtime.container-status']
  const without = looks.state !== 'read' ? looks : read(looks.value.map(({process: _, pid: __, ...look}) => look))
  const report = reportOf({...snapshot, readings: {...snapshot.readings, 'runtime.container-status': without}})
  expect(report.findings.filter(({code}) => code === 'R03').map(({severity}) => severity)).toEqual(['critical'])
})

test('R03 k8s#112814: two static pods of one name, the older one by its former hash', () => {
  const uid = 'abcdefabcdefabcdefabcdefabcdefab'
  const node = healthy((each) =>
    addContainer(each, {uid, podName: 'kube-proxy-n1', id: 'c-gone', sandbox: addSandbox(each, {uid, name: 'kube-proxy-n1', ready: true})}),
  )
  expectOwnerless(node)
})

test('R03 the static pod that runs is known by its hash, not by its mirror', () => {
  const node = healthy()
  expect(node.pods.map(({uid}) => uid)).toContain(proxy)
  expectSilent(node)
})

test.each(['runtime.containers', 'kubelet.pods'] as const)('R03 the list of %s broke off: nothing is concluded', (source) => {
  const node = healthy((each) => {
    runsOn(each)
    forgotten(each)
  })
  if (source === 'kubelet.pods') node.readings[source] = read(node.pods.slice(1), 'the reply broke off')
  else node.readings[source] = read(node.containers.slice(1), 'the reply broke off')
  expect(expectNone(node, 'R03').looked).not.toContain('R03')
})

test('R03 neither the statuses nor the processes were read: it is not looked for', () => {
  const node = healthy(runsOn)
  node.readings['runtime.container-status'] = absent('not captured')
  node.readings.processes = absent('not captured')
  expect(expectNone(node, 'R03').looked).not.toContain('R03')
})

test('R03 the forgotten processes are 60 s old: at most info', () => {
  expectAtMostInfo(healthy((node) => forgotten(node, {age: minute})))
})

test('R03 the forgotten process is from the future: the clock was set', () => {
  expectAtMostInfo(healthy((node) => forgotten(node, {age: -40})))
})

test('R03 the forgotten process is a zombie: it holds and writes nothing', () => {
  expectAtMostInfo(healthy((node) => forgotten(node, {state: 'Z'})))
})

test.each([
  ['of another cgroup driver', `/kubepods/burstable/pod${web}/${lost}`],
  ['of a custom root', `/custom.slice/kubepods.slice/kubepods-pod${web.replaceAll('-', '_')}.slice/cri-containerd-${lost}.scope`],
  ['of docker', scopeOf(web, lost).replace('cri-containerd-', 'docker-')],
  ['of CRI-O', scopeOf(web, lost).replace('cri-containerd-', 'crio-')],
  ['of another node in a container', `/docker/${'cd'.repeat(32)}/kubelet${scopeOf(web, lost)}`],
])('R03 the forgotten process is in a cgroup %s: it may be another runtime', (_, cgroup) => {
  expectAtMostInfo(healthy((node) => forgotten(node, {cgroup})))
})

test.each([
  ['a Guaranteed pod', `/kubepods.slice/kubepods-pod${db.replaceAll('-', '_')}.slice/cri-containerd-${lost}.scope`],
  ['a BestEffort pod', scopeOf(db, lost).replaceAll('burstable', 'besteffort')],
  ['a pod that is gone', scopeOf(gone, lost)],
])('R03 the forgotten process is in the cgroup of %s, beside the others', (_, cgroup) => {
  expectOnly(
    healthy((node) => forgotten(node, {cgroup})),
    ['R03', 'critical'],
  )
})

test('R03 on kind all cgroups lie below kubelet-kubepods', () => {
  const node = healthy((each) => forgotten(each))
  const snapshot = node.snapshot()
  const processes = snapshot.readings.processes
  if (processes.state !== 'read') throw new Error('Cannot change the processes as they must be read')
  const kind = processes.value.map((each) => ({
    ...each,
    cgroup: `/kubelet.slice/kubelet${each.cgroup.replaceAll('kubepods', 'kubelet-kubepods')}`,
  }))
  expectOnly({...snapshot, readings: {...snapshot.readings, processes: read(kind)}}, ['R03', 'critical'])
})

test("R03 a pod that is being deleted and runs within its grace is nobody else's", () => {
  expectSilent(healthy((node) => node.changePod(web, {deletedAt: ago(-10)})))
})

test('R03 the pod that runs has not been seen by the API server yet', () => {
  const node = healthy((each) => {
    each.pod('new-0', job, [])
    each.runs('new-0', job, {started: minute})
  })
  node.apiPods = node.apiPods.filter(({uid}) => uid !== job)
  expectSilent(node)
})

test('R03 the pod went 10 minutes ago, and its container has a grace of an hour: at most info', () => {
  const node = healthy((each) => {
    runsOn(each)
    each.dir('pods', 10 * minute)
    each.says(10 * minute, 'I', `"SyncLoop REMOVE" source="api" pods=["shop/last-0"]`)
  })
  node.containers = node.containers.map((each) =>
    each.id === 'c-gone' ? {...each, annotations: {...each.annotations, 'io.kubernetes.pod.terminationGracePeriod': '3600'}} : each,
  )
  expect(
    reportOf(node)
      .findings.filter(({code, severity}) => code === 'R03' && severity !== 'info')
      .map(({message}) => message),
  ).toEqual([])
})

test('R03 look-alike: the container that starts was listed a moment too early', () => {
  expectAtMostInfo(healthy((node) => forgotten(node, {age: 1})))
})

test('R03 its metadata is null and it has no annotations: its labels tell whose it is', () => {
  const node = healthy(runsOn)
  node.containers = node.containers.map((each) => {
    if (each.id !== 'c-gone') return each
    const {metadata: _, ...bare} = each
    return {...bare, annotations: {}}
  })
  expectOwnerless(node)
})

test("R03 the kubelet's answer is a page of a proxy: nothing is concluded from it", () => {
  const node = healthy(runsOn)
  node.readings['kubelet.pods'] = failed('Cannot read it as it must be a v1 PodList: it is no JSON')
  expect(expectNone(node, 'R03').looked).not.toContain('R03')
})

// Only the kubelet makes containers, and only for pods that it has.
test.each([
  ['a minute', minute],
  ['2 minutes and 10 seconds', 130],
])('R03 pods/ has not changed for hours, and the container was made %s ago: so long at most nobody has had it', (_, created) => {
  const node = healthy((each) =>
    addContainer(each, {uid: gone, id: 'c-gone', created, sandbox: addSandbox(each, {uid: gone, ready: true})}),
  )
  expectAtMostInfo(node)
})

test('R03 containerd#3873: the container of a pod that is gone came back with createdAt 0', () => {
  const node = healthy((each) =>
    addContainer(each, {uid: gone, id: 'c-gone', created: 0n, sandbox: addSandbox(each, {uid: gone, ready: true})}),
  )
  node.containerLooks.set('c-gone', {process: {state: 'there', startedAt: ago(day), containerId: 'c-gone'}})
  const {findings} = reportOf(node)
  expect(findings.filter(({code}) => code === 'R03').map(({severity}) => severity)).toEqual(['critical'])
})
