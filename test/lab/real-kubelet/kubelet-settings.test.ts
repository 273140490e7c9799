import {expect, test} from 'vitest'
import {parse} from 'yaml'
import {kubeletSettings} from '../../../src/lab/real-kubelet/kubelet-settings.ts'

const places = {
  folder: '/f',
  root: '/f/kubelet',
  runtime: '/f/r.sock',
  nodeName: 'lab',
  ports: {https: 1, readOnly: 2},
  own: {kubeAPIQPS: 7},
}
const legacy = ['--container-runtime=remote', '--container-runtime-endpoint=unix:///f/r.sock']

test.each<[minor: number, flags: readonly string[], fields: object]>([
  [17, legacy, {}],
  [23, legacy, {}],
  [24, legacy.slice(1), {}],
  [26, legacy.slice(1), {}],
  [27, [], {containerRuntimeEndpoint: 'unix:///f/r.sock'}],
  [31, [], {containerRuntimeEndpoint: 'unix:///f/r.sock', failCgroupV1: false}],
  [37, [], {containerRuntimeEndpoint: 'unix:///f/r.sock', failCgroupV1: false}],
])('kubeletSettings() of 1.%i has the flags and fields that there are', (minor, flags, fields) => {
  const {config, flags: all} = kubeletSettings(minor, places)
  expect(all.filter((flag) => flag.startsWith('--container'))).toEqual(flags)
  const {containerRuntimeEndpoint, failCgroupV1, ...common} = parse(config)
  expect({...(containerRuntimeEndpoint && {containerRuntimeEndpoint}), ...(failCgroupV1 !== undefined && {failCgroupV1})}).toEqual(fields)
  expect(common).toMatchObject({
    contentType: 'application/json',
    cgroupsPerQOS: false,
    failSwapOn: false,
    kubeAPIQPS: 7,
    address: '127.0.0.1',
  })
})
