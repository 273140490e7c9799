// What the API server puts into a pod where its writer said nothing; the node, too, as the lab has no scheduler.
// Upstream: SetDefaults_PodSpec, SetDefaults_Container and SetDefaults_Probe in pkg/apis/core/v1/defaults.go, GetPodQOS in pkg/apis/core/v1/helper/qos
import {isDeepStrictEqual} from 'node:util'
import {isLatest, probeDefaults} from '../api-server/pod-defaults.ts'
import {at, isList, type JsonObject, number, object, objects, text} from './json.ts'

/** @param nodeName of a new pod that names none */
export function defaultedPod(document: JsonObject, nodeName?: string): JsonObject {
  const spec = object(document, 'spec')
  const grace = number(spec, 'terminationGracePeriodSeconds') ?? 30
  const init = at(spec, 'initContainers')
  const whole: JsonObject = {
    restartPolicy: 'Always',
    dnsPolicy: 'ClusterFirst',
    ...(nodeName === undefined ? {} : {nodeName}),
    schedulerName: 'default-scheduler',
    securityContext: {},
    enableServiceLinks: true,
    ...spec,
    terminationGracePeriodSeconds: grace < 0 ? 1 : grace,
    containers: objects(spec, 'containers').map(defaultedContainer),
    ...(isList(init) ? {initContainers: objects(init).map(defaultedContainer)} : {}),
  }
  return {...document, spec: whole, status: {qosClass: qosClass(whole)}}
}

const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const

function defaultedProbes(container: JsonObject): JsonObject {
  const there = probes.filter((name) => container[name] !== undefined)
  return Object.fromEntries(there.map((name) => [name, {...probeDefaults, ...object(container, name)}]))
}

function defaultedContainer(container: JsonObject): JsonObject {
  return {
    resources: {},
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: isLatest(text(container, 'image') ?? '') ? 'Always' : 'IfNotPresent',
    ...container,
    ...defaultedProbes(container),
  }
}

function qosClass(spec: JsonObject): string {
  const resources = [...objects(spec, 'containers'), ...objects(spec, 'initContainers')].map((container) => {
    const limits = object(container, 'resources', 'limits')
    return {limits, requests: {...limits, ...object(container, 'resources', 'requests')}}
  })
  if (resources.every(({requests}) => Object.keys(requests).length === 0)) return 'BestEffort'
  const full = resources.every(({limits, requests}) => limits.cpu && limits.memory && isDeepStrictEqual(limits, requests))
  return full ? 'Guaranteed' : 'Burstable'
}
