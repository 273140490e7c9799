// When the kubelet's list may be concluded from although it lacks a pod whose sandbox is READY.
import {expect, test} from 'vitest'
import {contextOf} from '../../../src/findings/detect.ts'
import {podPresence} from '../../../src/findings/pods/pod-presence.ts'
import {podsHere} from '../../../src/findings/pods/pods-here.ts'
import {profileNearest} from '../../../src/kubelet/profiles.ts'
import {day, sandbox, settled} from '../../support/runtime-things.ts'
import {gone, runningPod, type SmallNode, smallNode, web} from '../../support/small-node.ts'
import {at, logLine} from '../../support/snapshot-builder.ts'

const staticUid = 'ab'.repeat(16)
const started = (seconds: number) => ({pid: 812, program: 'kubelet', startedAt: at(seconds), certain: true})

test.each<[string, (node: SmallNode) => unknown, boolean]>([
  ['the kubelet is up for a day', () => {}, false],
  [
    'an unbroken log shows it up for five minutes',
    (node) => Object.assign(node, {process: undefined, log: [logLine(-300, 'a'), logLine(-1, 'b')]}),
    false,
  ],
  ['the API server denies it', (node) => Object.assign(node, {process: undefined, apiPods: node.pods}), false],
  ['the kubelet is up for 119s', (node) => Object.assign(node, {process: started(-119)}), true],
  ['nothing tells how long it is up', (node) => Object.assign(node, {process: undefined}), true],
  ['the kubelet lists no pod at all', (node) => Object.assign(node, {pods: []}), true],
  [
    'the kubelet has static pods only: the API server may not have answered it yet',
    (node) => Object.assign(node, {pods: node.pods.map((pod) => ({...pod, configSource: 'file'}))}),
    true,
  ],
  ['the API server has it', (node) => Object.assign(node, {apiPods: [...node.pods, runningPod('web-9', gone, [])]}), true],
  ['a static pod is missing, too, and none is listed', (node) => node.sandboxes.push(sandbox(staticUid)), true],
  [
    'a static pod is missing, too, and another is listed',
    (node) => {
      node.sandboxes.push(sandbox(staticUid))
      node.pods.push(runningPod('etcd-n1', 'cd'.repeat(16), [], {configSource: 'file'}))
    },
    false,
  ],
])('podPresence() of a list that lacks a READY pod, where %s: doubt is %s', (_what, change, doubted) => {
  const {doubt} = podPresence(
    smallNode((node) => {
      settled(node)
      node.sandboxes.push(sandbox(gone, {age: day}))
      change(node)
    }),
  )
  expect(doubt !== undefined).toBe(doubted)
})

const etcd = runningPod('etcd-n1', staticUid, [], {configSource: 'file'})
const mirror = runningPod('etcd-n1', gone, [], {staticUid, configSource: 'file'})

test.each<[string, readonly (typeof etcd)[] | undefined, boolean]>([
  ['the API server has their mirrors, and no other pod of this node', [mirror], false],
  ['the API server has more', [mirror, runningPod('web-0', web, [])], true],
  ['the API server has none of their mirrors: it may have been asked of another node', [], true],
  ['the API server has mirrors of others', [{...mirror, staticUid: 'cd'.repeat(16)}], true],
  ['nobody asked the API server', undefined, true],
])('podsHere() of a kubelet that lists static pods only, where %s', (_what, apiPods, doubted) => {
  const snapshot = smallNode((node) => {
    settled(node)
    Object.assign(node, {pods: [etcd], sandboxes: [], containers: [], apiPods})
  })
  expect(podsHere(contextOf(snapshot, profileNearest('1.36.2'))).doubt !== undefined).toBe(doubted)
})
