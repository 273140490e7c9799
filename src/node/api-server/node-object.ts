// A v1 Node as the API server gives it.
import {arrayOf, fieldsOf, textOf} from '../kube-list.ts'
import type {NodeStatus} from '../node-status.ts'

/** @throws Error when the document is no Node. */
export function parseNode(text: string): NodeStatus {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    throw new Error(`Cannot read it as it must be a v1 Node: it is ${text.trimStart().startsWith('<') ? 'HTML or XML' : 'no JSON'}`)
  }
  const node = fieldsOf(document)
  const name = textOf(fieldsOf(node?.metadata)?.name)
  if (name === undefined || (node?.kind !== undefined && node.kind !== 'Node')) {
    throw new Error('Cannot read it as it must be a v1 Node with a name: it is none')
  }
  const status = fieldsOf(node?.status)
  const version = textOf(fieldsOf(status?.nodeInfo)?.kubeletVersion)
  const texts = (values: unknown, pick: (value: unknown) => unknown) => arrayOf(values).flatMap((value) => textOf(pick(value)) ?? [])
  return {
    name,
    volumesInUse: texts(status?.volumesInUse, (value) => value),
    volumesAttached: texts(status?.volumesAttached, (value) => fieldsOf(value)?.name),
    ...(version !== undefined && {kubeletVersion: version}),
  }
}
