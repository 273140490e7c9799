import {expect, onTestFinished, test} from 'vitest'
import {CallFailure} from '../../../src/kubelet/port.ts'
import type {CsiPort} from '../../../src/kubelet/ports.ts'
import {withWritten} from '../../../src/lab/api-server/as-written.ts'
import {csiMetrics} from '../../../src/lab/kubelet-server/csi-metrics.ts'
import {type KubeletServerOptions, serveKubelet} from '../../../src/lab/kubelet-server/serve-kubelet.ts'
import {versionIn} from '../../../src/node/kubelet-api/metrics-kept.ts'
import {parseMetrics} from '../../../src/node/metrics.ts'
import {manualClock} from '../../support/manual-clock.ts'
import {aPod} from '../../support/model-pods.ts'

const volume = {uniqueName: 'kubernetes.io/csi/d^h', driver: 'd'}
const written = {kind: 'Pod', apiVersion: 'v1', metadata: {name: 'a', annotations: {b: 'c'}}, spec: {}, status: {phase: 'Running'}}

async function served(options: Partial<KubeletServerOptions> = {}) {
  const clock = manualClock(1_000_000)
  const server = await serveKubelet({
    kubelet: {
      pods: () => [withWritten(aPod(), written)],
      volumes: () => ({desired: [volume, volume], mounted: [volume], inUse: []}),
      loopEnteredAt: () => 1_000_000,
    },
    runningPods: async () => [{metadata: {name: 'a'}, spec: {containers: [{name: 'c'}, {name: 'd'}]}}],
    csiMetrics: () => '',
    clock,
    nodeName: 'n1',
    version: '1.26.5',
    config: {kubeAPIQPS: 7},
    startedAt: 900_500,
    ...options,
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  const get = async (path: string, method = 'GET') => {
    const response = await fetch(server.url + path, {method})
    return {code: response.status, text: await response.text()}
  }
  return {clock, server, get}
}

test('serveKubelet() tells of its pods as they were told of', async () => {
  const {get} = await served()
  for (const path of ['/pods', '/pods/']) {
    const {code, text} = await get(path)
    expect(code).toBe(200)
    const {kind: _, apiVersion: __, ...pod} = written
    expect(JSON.parse(text)).toEqual({kind: 'PodList', apiVersion: 'v1', metadata: {}, items: [pod]})
  }
})

test('serveKubelet() tells of what runs, and of a runtime that does not say', async () => {
  const {get} = await served()
  expect(JSON.parse((await get('/runningpods/')).text).items).toMatchObject([{metadata: {name: 'a'}}])
  const silent = await served({runningPods: () => Promise.reject(new CallFailure('UNAVAILABLE', 'the runtime is down'))})
  expect(await silent.get('/runningpods/')).toEqual({code: 500, text: 'the runtime is down'})
})

test('serveKubelet() gives the metrics that the readers of a node know', async () => {
  const {get} = await served()
  const samples = parseMetrics((await get('/metrics')).text)
  expect(versionIn(samples)).toBe('1.26.5')
  const values = samples.map(({name, labels: {state = ''}, value}) => [name, state, value])
  expect(values.slice(1)).toEqual([
    ['process_start_time_seconds', '', 900.5],
    ['kubelet_running_pods', '', 1],
    ['kubelet_running_containers', '', 2],
    ['volume_manager_total_volumes', 'actual_state_of_world', 1],
    ['volume_manager_total_volumes', 'desired_state_of_world', 2],
  ])
})

test('serveKubelet() is not well when a turn of its loop takes more than five minutes', async () => {
  const {clock, get} = await served()
  expect(await get('/healthz')).toEqual({code: 200, text: 'ok'})
  await clock.advance(300_000)
  expect((await get('/healthz')).code).toBe(200)
  await clock.advance(1)
  expect(await get('/healthz')).toMatchObject({code: 500, text: expect.stringContaining('[-]syncloop failed')})
  expect(await get('/healthz/ping')).toEqual({code: 200, text: 'ok'})
})

test('serveKubelet() shows its configuration, and answers nothing else', async () => {
  const {get} = await served()
  expect(JSON.parse((await get('/configz')).text).kubeletconfig).toMatchObject({kubeAPIQPS: 7})
  expect((await get('/exec')).code).toBe(404)
  expect((await get('/pods', 'POST')).code).toBe(405)
})

test('csiMetrics() counts calls by how they ended, and how long they took', async () => {
  const clock = manualClock()
  const metrics = csiMetrics(clock)
  const port = {
    call: async (method: string) => {
      await clock.sleep(300)
      if (method === 'NodeStageVolume') throw new CallFailure('DEADLINE_EXCEEDED', 'context deadline exceeded')
      return {}
    },
  } as CsiPort
  const observed = metrics.observed('d', port)
  const failing = expect(observed.call('NodeStageVolume', {} as never, {timeoutMs: 1})).rejects.toThrow('deadline')
  const done = observed.call('NodeUnstageVolume', {} as never, {timeoutMs: 1})
  await clock.advance(300)
  await Promise.all([failing, done])
  const counts = parseMetrics(metrics.text()).filter(({name}) => /_(count|sum)$/.test(name))
  expect(counts.map(({labels, value}) => [labels.driver_name, labels.method_name, labels.grpc_status_code, value])).toEqual([
    ['d', '/csi.v1.Node/NodeStageVolume', 'DeadlineExceeded', 0.3],
    ['d', '/csi.v1.Node/NodeStageVolume', 'DeadlineExceeded', 1],
    ['d', '/csi.v1.Node/NodeUnstageVolume', 'OK', 0.3],
    ['d', '/csi.v1.Node/NodeUnstageVolume', 'OK', 1],
  ])
})
