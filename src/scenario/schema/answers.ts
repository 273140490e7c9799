// What the fault fake-success may answer, by the call: the shape of its response, as the kubelet reads it, and what it is when nobody says.
import * as v from 'valibot'
import {strict} from '../../base/yaml/strict.ts'
import {flag, listOf, oneOf, text} from '../../base/yaml/values.ts'
import {asIfDone, fakeSuccess} from '../../faults/fake-success.ts'
import type {Fault} from '../../faults/fault.ts'
import {exitCode} from './values.ts'

interface Answer {
  /** As a file has it; the fields of CRI and CSI. */
  readonly schema: v.GenericSchema
  /** In words: 'podSandboxId'; empty where nothing is read. */
  readonly fields: string
  /** What it is when nobody says. */
  readonly usual: unknown
  readonly fault: (given: unknown) => Fault
}

/** Where nothing is read of the answer. */
const nothing: Answer = {schema: strict({}), fields: '', usual: {}, fault: () => fakeSuccess()}

/** @param usual its one field and what it is when nobody says */
function answer(usual: Readonly<Record<string, unknown>>, schema: v.GenericSchema): Answer {
  return {schema, fields: Object.keys(usual).join(', '), usual, fault: (given) => fakeSuccess({...usual, ...(given as object)})}
}

/** Of what is on a node nobody can write the ids before it runs: a list can only be empty. */
function emptyList(name: string): Answer {
  const none = v.pipe(v.array(v.unknown(), 'a list'), v.maxLength(0, 'an empty list, as nobody knows the ids before'))
  return {schema: strict({[name]: v.exactOptional(none)}), fields: name, usual: {[name]: []}, fault: () => fakeSuccess([])}
}

const id = v.exactOptional(text)

export const answers: ReadonlyMap<string, Answer> = new Map([
  ['PATCH pod/status', {schema: strict({}), fields: '', usual: {}, fault: () => asIfDone()}],
  ['DELETE pod', nothing],
  ['RunPodSandbox', answer({podSandboxId: 'made-up'}, strict({podSandboxId: id}))],
  ['StopPodSandbox', nothing],
  ['RemovePodSandbox', nothing],
  ['ListPodSandbox', emptyList('items')],
  ['CreateContainer', answer({containerId: 'made-up'}, strict({containerId: id}))],
  ['StartContainer', nothing],
  ['StopContainer', nothing],
  ['RemoveContainer', nothing],
  ['ListContainers', emptyList('containers')],
  ['ExecSync', answer({exitCode: 0}, strict({exitCode: v.exactOptional(exitCode)}))],
  ['ImageStatus', answer({present: true}, strict({present: v.exactOptional(flag)}))],
  ['PullImage', answer({imageRef: 'made-up'}, strict({imageRef: id}))],
  ['NodeStageVolume', nothing],
  ['NodeUnstageVolume', nothing],
  ['NodePublishVolume', nothing],
  ['NodeUnpublishVolume', nothing],
  [
    'NodeGetCapabilities',
    answer(
      {capabilities: []},
      strict({capabilities: v.exactOptional(listOf(oneOf(['STAGE_UNSTAGE_VOLUME', 'GET_VOLUME_STATS', 'EXPAND_VOLUME'])))}),
    ),
  ],
])
