import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {parseCgroups} from '../../../src/node/processes/cgroup.ts'

const id = 'f29e3a3d4d20a5c6e4f7c5b8a9101112131415161718191a1b1c1d1e1f202122'
const uid = '524a0e18-06a9-41fb-ac5a-b155004732e3'
const escaped = uid.replaceAll('-', '_')
const staticUid = '0123456789abcdef0123456789abcdef'
const slice = `/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod${escaped}.slice`

const rows: readonly [string, string, {podUid?: string; containerId?: string} | undefined][] = [
  ['cgroupfs, burstable', `/kubepods/burstable/pod${uid}/${id}`, {podUid: uid, containerId: id}],
  ['cgroupfs, guaranteed', `/kubepods/pod${uid}/${id}`, {podUid: uid, containerId: id}],
  ['cgroupfs, a static pod', `/kubepods/besteffort/pod${staticUid}/${id}`, {podUid: staticUid, containerId: id}],
  ['cgroupfs, a UID of any kind', `/kubepods/podhdishd83djaidwnduwk28bcsb/${id}`, {podUid: 'hdishd83djaidwnduwk28bcsb', containerId: id}],
  ['cgroupfs, crio', `/kubepods/burstable/pod${uid}/crio-${id}`, {podUid: uid, containerId: id}],
  ['cgroupfs, the pod only', `/kubepods/burstable/pod${uid}`, {podUid: uid}],
  ['a custom root', `/custom/kubepods/burstable/pod${uid}/${id}`, {podUid: uid, containerId: id}],
  ['systemd, containerd', `${slice}/cri-containerd-${id}.scope`, {podUid: uid, containerId: id}],
  ['systemd, crio', `${slice}/crio-${id}.scope`, {podUid: uid, containerId: id}],
  ['systemd, crio with a cgroup of its own inside', `${slice}/crio-${id}.scope/container`, {podUid: uid, containerId: id}],
  ['systemd, docker', `${slice}/docker-${id}.scope`, {podUid: uid, containerId: id}],
  ['systemd, guaranteed', `/kubepods.slice/kubepods-pod${escaped}.slice/cri-containerd-${id}.scope`, {podUid: uid, containerId: id}],
  ['systemd, a static pod', `/kubepods.slice/kubepods-pod${staticUid}.slice`, {podUid: staticUid}],
  [
    'kind',
    `/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-besteffort.slice/kubelet-kubepods-besteffort-pod${escaped}.slice/cri-containerd-${id}.scope`,
    {podUid: uid, containerId: id},
  ],
  [
    'kind, as its host sees it',
    `/system.slice/docker-${'a'.repeat(64)}.scope/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-pod${escaped}.slice/cri-containerd-${id}.scope`,
    {podUid: uid, containerId: id},
  ],
  ['systemd inside the container', `${slice}/cri-containerd-${id}.scope/init.scope`, {podUid: uid, containerId: id}],
  ['docker inside the container', `/kubepods/pod${uid}/${id}/docker/${'b'.repeat(64)}`, {podUid: uid, containerId: id}],
  [
    'a path for systemd that runc took for a name',
    `/kubepods-burstable-pod${escaped}.slice:cri-containerd:${id}`,
    {podUid: uid, containerId: id},
  ],
  [
    'the same below a service',
    `/system.slice/containerd.service/kubepods-pod${escaped}.slice:cri-containerd:${id}`,
    {podUid: uid, containerId: id},
  ],
  ['no cgroup for pods', `/k8s.io/${id}`, {containerId: id}],
  ['docker alone', `/docker/${id}`, {containerId: id}],
  ['from another cgroup namespace', `/../../kubepods/pod${uid}/${id}`, {podUid: uid, containerId: id}],
  ['gone, with a process left', `/kubepods/pod${uid}/${id} (deleted)`, {podUid: uid, containerId: id}],
  ['the monitor of crio', `${slice}/crio-conmon-${id}.scope`, undefined],
  ['the monitor of crio, cgroupfs', `/kubepods/pod${uid}/crio-conmon-${id}`, undefined],
  ['the runtime', '/system.slice/containerd.service', undefined],
  ['the kubelet', '/kubelet.slice/kubelet.service', undefined],
  ['all pods', '/kubepods.slice/kubepods-burstable.slice', undefined],
  ['a session', '/user.slice/user-0.slice/session-1.scope', undefined],
  ['a name that starts as a pod', '/podman/podcast', undefined],
  ['another hexadecimal name', '/process_api/1a9c875bab23307b6797648ce4f14858', undefined],
]

describe('parseCgroups reads', () => {
  test.each(rows)('%s', (_, cgroup, expected) => {
    expect(parseCgroups(`0::${cgroup}\n`)).toEqual(expected && {cgroup, ...expected})
  })
})

test('parseCgroups takes the hierarchy of cgroup v1 that says most', () => {
  const text = `9:name=systemd:/\n8:pids:/kubepods/pod${uid}\n5:cpu,cpuacct:/kubepods/pod${uid}/${id}\n4:memory:/\n0::/\n`
  expect(parseCgroups(text)).toEqual({cgroup: `/kubepods/pod${uid}/${id}`, podUid: uid, containerId: id})
})

test('parseCgroups never throws, whatever the text', () => {
  fc.assert(fc.property(fc.string(), (text) => void parseCgroups(text)))
})
