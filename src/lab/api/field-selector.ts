// fieldSelector of a list: 'metadata.name=a,status.phase!=Running'. Upstream: apimachinery pkg/fields/selector.go and the kinds' own lists of fields
import {badRequest} from './api-status.ts'
import {at} from './json.ts'
import type {Kind} from './kinds.ts'
import type {Selector} from './label-selector.ts'

const ofAll = ['metadata.name', 'metadata.namespace']

const ofKind: Readonly<Record<string, readonly string[]>> = {
  Pod: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.nominatedNodeName',
  ],
  Node: ['spec.unschedulable'],
  Namespace: ['status.phase'],
  Secret: ['type'],
  Service: ['spec.clusterIP', 'spec.type'],
  Event: [
    'involvedObject.kind',
    'involvedObject.namespace',
    'involvedObject.name',
    'involvedObject.uid',
    'involvedObject.apiVersion',
    'involvedObject.resourceVersion',
    'involvedObject.fieldPath',
    'reason',
    'reportingComponent',
    'source',
    'type',
  ],
}

export function fieldSelector(kind: Kind, text: string): Selector {
  const known = [...ofAll, ...(ofKind[kind.kind] ?? [])]
  const tests = text
    .split(',')
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const [, field = '', how, value = ''] = /^([^=!]+)(==|=|!=)(.*)$/.exec(part.trim()) ?? []
      if (how === undefined) throw badRequest(`invalid selector: '${part}'; can't understand '${part}'`)
      if (!known.includes(field)) throw badRequest(`field label not supported: ${field}`)
      const path = field === 'source' ? ['source', 'component'] : field.split('.')
      return {path, value: value.replace(/\\(.)/g, '$1'), equal: how !== '!='}
    })
  return (document) => tests.every(({path, value, equal}) => (String(at(document, ...path) ?? '') === value) === equal)
}
