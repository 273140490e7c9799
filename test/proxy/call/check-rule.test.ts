import {expect, test} from 'vitest'
import type {Edit} from '../../../src/faults/edit.ts'
import {fail} from '../../../src/faults/fail.ts'
import {asIfDone, fakeSuccess} from '../../../src/faults/fake-success.ts'
import type {Fault} from '../../../src/faults/fault.ts'
import {rewrite} from '../../../src/faults/rewrite.ts'
import type {Match} from '../../../src/faults/rule.ts'
import {checkRule} from '../../../src/proxy/call/check-rule.ts'

const edit = (...edits: readonly Edit[]): Fault => ({
  kind: 'list-edit',
  plan: {before: 0, forward: 1, upstreamDeadline: 'keep', reply: {kind: 'edit', edits}},
})

test.for<[Match, Fault]>([
  [{}, rewrite({reply: {nothing: 1}})],
  [{method: 'Unheard'}, rewrite({reply: {nothing: 1}})],
  [{method: 'ListContainers'}, rewrite({reply: {'containers[].state': 'CONTAINER_UNKNOWN'}})],
  [{method: 'ListContainers'}, rewrite({reply: {'containers[2].metadata.name': 'x'}})],
  [{method: 'ListContainers'}, edit({kind: 'drop', list: 'containers', where: {'metadata.name': 'a'}})],
  [{method: 'ListContainers'}, edit({kind: 'phantom', list: 'containers', entry: {id: 'x'}}, {kind: 'pad', bytes: 10})],
  [{method: 'StopContainer'}, rewrite({request: {timeout: 0}})],
  [{method: 'NodeStageVolume'}, asIfDone()],
  [{method: 'RunPodSandbox'}, fail('INTERNAL')],
])('checkRule() has nothing against %j: %j', ([match, fault]) => {
  expect(() => checkRule({name: 'r', match, fault})).not.toThrow()
})

test.for<[Match, Fault, string]>([
  [{method: 'ListContainers'}, rewrite({reply: {'containers[].sate': 1}}), "Container has no field 'sate'"],
  [{method: 'ListContainers'}, rewrite({reply: {'containers[].state': 'RUNNING'}}), `'containers[].state' cannot be "RUNNING"`],
  [{method: 'ListContainers'}, edit({kind: 'drop', list: 'items'}), "ListContainersResponse has no field 'items'"],
  [{method: 'ListContainers'}, edit({kind: 'drop', list: 'containers', where: {nam: 'a'}}), "Container has no field 'nam'"],
  [{method: 'ListContainers'}, edit({kind: 'phantom', list: 'containers', entry: {uid: 'a'}}), "Container has no field 'uid'"],
  [{method: 'StopContainer'}, rewrite({request: {grace: 0}}), "StopContainerRequest has no field 'grace'"],
  [{method: 'RunPodSandbox'}, asIfDone(), 'what the server would answer is not known: RunPodSandboxResponse has podSandboxId'],
  [{method: 'Version'}, fakeSuccess({versions: 1}), "the rule's response is no VersionResponse: "],
])('checkRule() refuses %j: %j', ([match, fault, why]) => {
  expect(() => checkRule({name: 'r', match, fault})).toThrow(`Cannot add the rule 'r' as its fault must fit ${match.method}: ${why}`)
})
