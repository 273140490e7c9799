// R03: a container runs and nobody will stop it: its pod is nobody's, or the runtime has forgotten it.

import {formatInstant} from '../../base/instant.ts'
import {shortId} from '../../node/short-id.ts'
import type {Detector} from '../detector.ts'
import type {Finding} from '../finding.ts'
import {containerName} from './kubelets-own.ts'
import {livingSources} from './living-containers.ts'
import {endForgotten, lookAtProcesses, stopRunning} from './ownerless-remedies.ts'
import {type OwnerlessRunning, ownerlessRunning} from './ownerless-running.ts'
import {listDoubt, podWords, uidDoubt, unownedSubject} from './unowned-pods.ts'

const links = [
  'https://github.com/containerd/containerd/issues/13784',
  'https://github.com/containerd/containerd/issues/8285',
  'https://github.com/cri-o/cri-o/issues/5929',
  'https://github.com/kubernetes/kubernetes/issues/112814',
]

export const runningContainerNobodyOwns: Detector = {
  code: 'R03',
  name: 'running-container-nobody-owns',
  severities: [
    {
      severity: 'critical',
      when: 'its pod is gone, or it was told to stop, for longer than its grace and 2m, or the runtime does not list a container whose processes are older than 2m',
    },
    {severity: 'info', when: 'it is younger than that, nothing tells since when, or the kubelet may have started less than 2m ago'},
  ],
  graceMs: 150_000,
  sampleTwice: true,
  needs: () => [['kubelet.pods'], ['runtime.sandboxes'], ['runtime.containers'], livingSources],
  cannotLook: listDoubt,
  besides: uidDoubt,
  helpedBy: ['runtime.container-status', 'processes', 'api.pods', 'kubelet.log', 'disk.entries', 'api.events', 'runtime.answers'],
  explain: {
    what:
      'A container runs on this node and nobody will stop it. Its pod is gone from the kubelet and the API server, or the container runtime does not list it ' +
      'although its processes are there. Where a replacement runs, two write to the same data.',
    how:
      'A pod was deleted by force while the kubelet or the runtime could not stop it; or the runtime lost the record of a container and kept its shim: at ' +
      'its own restart, or after a call whose answer was lost. The kubelet stops what the runtime lists and nothing else.',
    lookAlikes: [
      'a pod that was deleted with --force --grace-period=0: it runs on for its grace',
      'a kubelet that has just started, or that has not heard from the API server yet: its list lacks pods that do run',
      'a static pod, whose mirror at the API server has another UID',
      'a container that crictl, nerdctl or another runtime made',
      'an agent of the host that somebody put in the cgroup of all pods, and the processes that keep a container (conmon)',
      'a record without a process: that is R08',
    ],
    links,
  },
  detect: ({snapshot}) =>
    ownerlessRunning(snapshot).map((found): Finding => {
      const {since, overdue, evidence, gone, running, forgotten} = found
      return {
        code: 'R03',
        name: 'running-container-nobody-owns',
        severity: overdue ? 'critical' : 'info',
        subject: unownedSubject(found),
        message: `${messageOf(found)}${overdue ? '' : waits(found)}`,
        ...(since !== undefined && {since: formatInstant(since)}),
        next:
          gone && running.length > 0
            ? 'The kubelet stops pods that it does not have every two seconds, once it has heard from all of its sources, and again 10s to 15s after an error.'
            : 'Nothing: the kubelet stops only what the runtime lists.',
        evidence,
        cause: null,
        remedy: overdue ? [...stopRunning(snapshot, running), ...endForgotten(forgotten)] : lookAtProcesses(snapshot, found),
        links,
      }
    }),
}

function messageOf({running, forgotten, gone, ...pod}: OwnerlessRunning): string {
  const names = running.map((each) => `${containerName(each)} (${shortId(each.id)})`).join(', ')
  const runs = running.length === 1 ? `The container ${names} runs` : `The containers ${names} run`
  const first = running.length === 0 ? [] : [`${runs}, and nobody has the pod ${podWords(pod)} any more.`]
  const ids = forgotten.map(({id}) => shortId(id)).join(', ')
  const what = forgotten.length === 1 ? `the container ${ids}` : `the containers ${ids}`
  const whose = gone ? `the pod ${podWords(pod)}, which nobody has any more` : `the pod ${podWords(pod)}`
  return [
    ...first,
    ...(forgotten.length === 0 ? [] : [`Processes of ${what} of ${whose} run, and the container runtime does not list it.`]),
  ].join(' ')
}

function waits({since, gone}: OwnerlessRunning): string {
  if (!gone) return ' It may be on its way.'
  return since === undefined ? ' Nothing tells since when.' : ' It may still be in its grace.'
}
