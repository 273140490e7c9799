// Which object or list a request is about. Upstream: apiserver pkg/endpoints/request/requestinfo.go
import {type Kind, kindOf} from './kinds.ts'

export interface Target {
  readonly kind: Kind
  /** Of one namespace; absent of objects without one, and of lists over all namespaces. */
  readonly namespace?: string
  /** Absent: the list. */
  readonly name?: string
  readonly subresource?: string
}

/** Undefined: no resource's path. */
export function targetOf(path: string): Target | undefined {
  const parts = path
    .split('/')
    .filter((part) => part !== '')
    .map(decoded)
  const [root, ...rest] = parts
  if (root === 'api') return inGroup('', rest)
  return root === 'apis' ? inGroup(rest[0] ?? '', rest.slice(1)) : undefined
}

function inGroup(group: string, [version = '', ...parts]: readonly string[]): Target | undefined {
  const [first, namespace, resource, ...more] = parts
  // 'namespaces/a' and 'namespaces/a/status' are the namespace itself.
  if (first === 'namespaces' && namespace !== undefined && resource !== undefined) {
    const kind = kindOf(group, version, resource)
    if (kind !== undefined) return kind.namespaced ? target(kind, namespace, more) : undefined
  }
  const kind = kindOf(group, version, first ?? '')
  if (kind === undefined) return undefined
  // A list of all namespaces; an object has its namespace in the path.
  if (kind.namespaced && parts.length > 1) return undefined
  return target(kind, undefined, parts.slice(1))
}

function target(kind: Kind, namespace: string | undefined, [name, subresource, ...more]: readonly string[]): Target | undefined {
  if (more.length > 0 || (subresource !== undefined && !kind.subresources?.includes(subresource))) return undefined
  return {
    kind,
    ...(namespace === undefined ? {} : {namespace}),
    ...(name === undefined ? {} : {name}),
    ...(subresource === undefined ? {} : {subresource}),
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
