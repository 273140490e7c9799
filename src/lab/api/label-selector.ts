// labelSelector of a list: 'a=b,c!=d,e in (f,g),h notin (i),j,!k'. Upstream: apimachinery pkg/labels/selector.go
import {badRequest} from './api-status.ts'
import {type JsonObject, object} from './json.ts'

export type Selector = (document: JsonObject) => boolean

const key = '[A-Za-z0-9][-A-Za-z0-9_./]*'
const inSet = new RegExp(`^(${key})\\s+(in|notin)\\s*\\(([^()]*)\\)$`)
const equals = new RegExp(`^(${key})\\s*(=|==|!=)\\s*([-A-Za-z0-9_.]*)$`)
const exists = new RegExp(`^(!?)\\s*(${key})$`)

export function labelSelector(text: string): Selector {
  const tests = (text.match(/(?:[^,(]|\([^)]*\))+/g) ?? []).map((part) => requirement(part.trim()))
  return (document) => {
    const labels = object(document, 'metadata', 'labels')
    return tests.every((test) => test(labels))
  }
}

function requirement(text: string): (labels: JsonObject) => boolean {
  const set = inSet.exec(text)
  if (set !== null) {
    const [, name = '', how, list = ''] = set
    const values = list.split(',').map((value) => value.trim())
    return (labels) => values.includes(String(labels[name])) === (how === 'in') && (how !== 'in' || Object.hasOwn(labels, name))
  }
  const pair = equals.exec(text)
  if (pair !== null) {
    const [, name = '', how, value] = pair
    return (labels) => (labels[name] === value) !== (how === '!=')
  }
  const there = exists.exec(text)
  if (there === null) throw badRequest(`unable to parse requirement: ${text}`)
  const [, not, name = ''] = there
  return (labels) => Object.hasOwn(labels, name) !== (not === '!')
}
