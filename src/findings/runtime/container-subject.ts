// A container of the runtime as the subject of a finding, with the names that its labels have.
import {podLabels} from '../../node/cri-selection.ts'
import {known} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import type {Container} from '../../wire/gen/cri_pb.ts'
import type {Evidence, Subject} from '../finding.ts'

export function listedSubject(snapshot: Snapshot, id: string): Subject {
  const container = listedContainer(snapshot, id)
  return container === undefined ? {kind: 'Container', id} : subjectOf(container)
}

/** 'container app of default/web-0', or what is known of it: old kubelets wrote statuses without a name. */
export function containerWords({name, namespace, pod, podUid, id}: Subject): string {
  if (name === undefined) return `container ${id}`
  const whose = pod === undefined ? (podUid === undefined ? '' : ` of pod ${podUid}`) : ` of ${namespace ?? ''}/${pod}`
  return `${name === '' ? 'a container without a name' : `container ${name}`}${whose}`
}

/** Where the names are from. */
export function nameEvidence({name, id, ...rest}: Subject): Evidence[] {
  return name === undefined ? [] : [{source: 'runtime.containers', fact: `${id} is the ${containerWords({name, ...rest})}`}]
}

function listedContainer(snapshot: Snapshot, id: string): Container | undefined {
  return known(snapshot.readings['runtime.containers'])?.find((each) => each.id === id)
}

function subjectOf({id, labels, metadata}: Container): Subject {
  const name = metadata?.name || labels[podLabels.container]
  const namespace = labels[podLabels.namespace]
  const pod = labels[podLabels.name]
  const podUid = labels[podLabels.uid]
  return {kind: 'Container', ...(namespace && {namespace}), ...(name && {name}), id, ...(pod && {pod}), ...(podUid && {podUid})}
}
