// What is asked: a pod, a claim or a path.
import {UserError} from '../../base/errors.ts'

export type Question =
  | {readonly kind: 'pod' /** Undefined: in whatever namespace it is. */; readonly namespace: string | undefined; readonly name: string}
  | {readonly kind: 'claim'; readonly namespace: string; readonly name: string}
  | {readonly kind: 'path' /** Absolute, without a slash at its end. */; readonly path: string}

const forms = 'NAMESPACE/POD, PVC NAMESPACE/NAME or an absolute PATH'
const kinds: Readonly<Record<string, 'pod' | 'claim'>> = {
  pod: 'pod',
  pods: 'pod',
  po: 'pod',
  pvc: 'claim',
  persistentvolumeclaim: 'claim',
  persistentvolumeclaims: 'claim',
}

/** @throws UserError */
export function parseQuestion(words: readonly string[]): Question {
  const [first = '', second, ...more] = words
  if (more.length > 0) throw new UserError(`Cannot explain this as the question must be ${forms}: it has ${words.length} words`)
  if (second === undefined) {
    if (first.startsWith('/')) return {kind: 'path', path: first.length === 1 ? first : first.replace(/\/+$/, '') || '/'}
    // As kubectl writes it: pod/web-0.
    const [kind, name] = splitAtSlash(first)
    if (kind !== undefined && Object.hasOwn(kinds, kind.toLowerCase()) && kinds[kind.toLowerCase()] === 'pod')
      return {kind: 'pod', namespace: undefined, name}
    return podOf(first)
  }
  const kind = Object.hasOwn(kinds, first.toLowerCase()) ? kinds[first.toLowerCase()] : undefined
  if (kind === undefined) throw new UserError(`Cannot explain this as the question must be ${forms}: its first word is '${first}'`)
  if (kind === 'pod') return podOf(second)
  const [namespace, name] = splitAtSlash(second)
  if (!namespace || name === '' || name.includes('/'))
    throw new UserError(`Cannot explain the claim as it must be NAMESPACE/NAME: it is '${second}'`)
  return {kind: 'claim', namespace, name}
}

function podOf(text: string): Question {
  const [namespace, name] = splitAtSlash(text)
  if (name === '' || namespace === '' || name.includes('/'))
    throw new UserError(`Cannot explain this as the question must be ${forms}: it is '${text}'`)
  return {kind: 'pod', namespace, name}
}

function splitAtSlash(text: string): readonly [before: string | undefined, after: string] {
  const at = text.indexOf('/')
  return at === -1 ? [undefined, text] : [text.slice(0, at), text.slice(at + 1)]
}
