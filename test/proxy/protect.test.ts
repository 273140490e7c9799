// Calls about pods and claims that are left alone, through the proxy.
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {systemClock} from '../../src/base/clock.ts'
import {parseRules} from '../../src/faults/file/read-rules.ts'
import type {TracedCall} from '../../src/proxy/call/traced-call.ts'
import {type ProxyOptions, serveProxy} from '../../src/proxy/serve-proxy.ts'
import {RuntimeService} from '../../src/wire/gen/cri_pb.ts'
import {codeOf, csiCaller} from '../support/csi-caller.ts'
import {fakeRuntime} from '../support/fake-runtime.ts'
import {rawCaller} from '../support/raw-grpc.ts'
import {servedDriver} from '../support/served-driver.ts'
import {tempDir} from '../support/socket-dir.ts'

async function protecting(upstream: string, folder: string, rules: string, more: Partial<ProxyOptions>) {
  const listen = join(folder, 'l')
  const calls: TracedCall[] = []
  const proxy = await serveProxy({
    listen,
    upstream,
    rules: parseRules(`rules: [${rules}]`, 'rules.yaml').rules,
    seed: 1,
    clock: systemClock,
    protect: ['kube-system'],
    onCall: (call) => calls.push(call),
    ...more,
  })
  onTestFinished(() => proxy[Symbol.asyncDispose]())
  return {listen, calls, proxy}
}

const sparing = 'kube-system is left alone without --force'

test('serveProxy() leaves containers of a protected pod alone by the names that the runtime had before', async () => {
  const folder = tempDir()
  const path = join(folder, 'r')
  const sandboxOf = (id: string, namespace: string) => ({id, metadata: {name: `pod-${id}`, namespace, uid: `u-${id}`}})
  const runtime = await fakeRuntime({
    path,
    sandboxes: [sandboxOf('s1', 'kube-system'), sandboxOf('s2', 'default')],
    containers: ['1', '2'].map((at) => ({id: `c${at}`, podSandboxId: `s${at}`, metadata: {name: 'main'}})),
  })
  onTestFinished(() => runtime[Symbol.asyncDispose]())
  const rules = '{name: r, match: {method: ContainerStatus}, fault: {kind: error, code: INTERNAL}}'
  const {listen, calls, proxy} = await protecting(path, folder, rules, {prime: 'cri'})
  using client = rawCaller(listen)
  const {containerStatus} = RuntimeService.method
  expect((await client.unary(containerStatus, {containerId: 'c1'})).status?.id).toBe('c1')
  await expect(client.unary(containerStatus, {containerId: 'c2'})).rejects.toThrow()
  expect(calls).toMatchObject([
    {code: 'OK', skipped: sparing, pod: 'kube-system/pod-s1'},
    {code: 'INTERNAL', rule: 'r', pod: 'default/pod-s2'},
  ])
  expect(calls[0]).not.toHaveProperty('rule')
  expect(proxy.rules.list()).toMatchObject([{seen: 1, taken: 1}])
})

test('serveProxy() leaves volumes of protected pods and claims alone by the names that it was told', async () => {
  const folder = tempDir()
  const served = await servedDriver(folder, {name: 'd'})
  onTestFinished(() => served[Symbol.asyncDispose]())
  const took: string[] = []
  const rules = '{name: r, match: {to: csi}, fault: {kind: error, code: INTERNAL}}'
  const {listen, calls} = await protecting(served.endpoint, folder, rules, {
    knownPods: [{namespace: 'kube-system', name: 'dns', uid: 'u1'}],
    knownVolumes: [{pvc: 'kube-system/data', volumeId: 'v1'}],
    onTake: ({name}) => took.push(name),
  })
  using client = await csiCaller(listen)
  const targetOf = (uid: string) => `/var/lib/kubelet/pods/${uid}/volumes/kubernetes.io~csi/pv1/mount`
  await codeOf(client.node.nodeUnpublishVolume({volumeId: 'v9', targetPath: targetOf('u1')}, {timeoutMs: 5000}))
  await codeOf(client.node.nodeUnstageVolume({volumeId: 'v1', stagingTargetPath: '/s'}, {timeoutMs: 5000}))
  expect(await codeOf(client.node.nodeUnpublishVolume({volumeId: 'v9', targetPath: targetOf('u2')}, {timeoutMs: 5000}))).toBe('INTERNAL')
  expect(await codeOf(client.identity.probe({}, {timeoutMs: 5000}))).toBe('INTERNAL')
  expect(calls.map(({skipped, rule}) => skipped ?? rule)).toEqual([sparing, sparing, 'r', 'r'])
  expect(took).toEqual(['r', 'r'])
})
