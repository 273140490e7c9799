// The objects that a list or watch is about: of its namespace, and as its selectors say.
import {fieldSelector} from './field-selector.ts'
import {text} from './json.ts'
import {labelSelector, type Selector} from './label-selector.ts'
import type {Target} from './request-path.ts'

export function selectorOf({kind, namespace, name}: Target, query: URLSearchParams): Selector {
  const tests = [labelSelector(query.get('labelSelector') ?? ''), fieldSelector(kind, query.get('fieldSelector') ?? '')]
  if (namespace !== undefined) tests.unshift((document) => text(document, 'metadata', 'namespace') === namespace)
  if (name !== undefined) tests.unshift((document) => text(document, 'metadata', 'name') === name)
  return (document) => tests.every((test) => test(document))
}
