// A node in kubectl's table. Upstream: printNode in pkg/printers/internalversion/printers.go (1.37)
import {age} from './human-duration.ts'
import {type Json, type JsonObject, object, objects, text} from './json.ts'

export const nodeColumns = [
  'Name',
  'Status',
  'Roles',
  'Age',
  'Version',
  '+Internal-IP',
  '+External-IP',
  '+OS-Image',
  '+Kernel-Version',
  '+Container-Runtime',
]

export function nodeCells(node: JsonObject, now: number): readonly Json[] {
  const info = object(node, 'status', 'nodeInfo')
  const architecture = text(info, 'architecture')
  const kernel = text(info, 'kernelVersion') || '<unknown>'
  return [
    text(node, 'metadata', 'name') ?? '',
    status(node),
    roles(object(node, 'metadata', 'labels')),
    age(text(node, 'metadata', 'creationTimestamp'), now),
    text(info, 'kubeletVersion') ?? '',
    address(node, 'InternalIP'),
    address(node, 'ExternalIP'),
    text(info, 'osImage') || '<unknown>',
    architecture ? `${kernel} (${architecture})` : kernel,
    text(info, 'containerRuntimeVersion') || '<unknown>',
  ]
}

function status(node: JsonObject): string {
  const ready = objects(node, 'status', 'conditions').find(({type}) => type === 'Ready')
  const word = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady'
  return object(node, 'spec').unschedulable === true ? `${word},SchedulingDisabled` : word
}

function roles(labels: JsonObject): string {
  const found = Object.entries(labels).flatMap(([key, value]) => {
    if (key.startsWith('node-role.kubernetes.io/')) return key.slice('node-role.kubernetes.io/'.length) || []
    return key === 'kubernetes.io/role' && value !== '' ? String(value) : []
  })
  return [...new Set(found)].sort().join(',') || '<none>'
}

const address = (node: JsonObject, wanted: string): string =>
  text(
    objects(node, 'status', 'addresses').find(({type}) => type === wanted),
    'address',
  ) || '<none>'
