// JSON patch. RFC 6902
import {isDeepStrictEqual} from 'node:util'
import {isList, isObject, type Json} from './json.ts'
import {PatchError} from './patch-error.ts'

/** @throws PatchError */
export function jsonPatch(original: Json, patch: Json): Json {
  if (!isList(patch)) throw new PatchError('a JSON patch must be a list of operations')
  return patch.reduce(operation, original)
}

function operation(document: Json, step: Json): Json {
  if (!isObject(step)) throw new PatchError('an operation of a JSON patch must be a map')
  const path = pointer(step.path)
  const value = (): Json => {
    if (step.value === undefined) throw new PatchError(`JSON patch ${step.op} operation without a value`)
    return step.value
  }
  switch (step.op) {
    case 'add':
      return written(document, path, value(), 'add')
    case 'replace':
      found(document, path)
      return written(document, path, value(), 'replace')
    case 'remove':
      return removed(document, path)
    case 'move': {
      const from = pointer(step.from)
      if (path.length > from.length && from.every((token, index) => token === path[index]))
        throw new PatchError('cannot move a value into itself')
      return written(removed(document, from), path, found(document, from), 'add')
    }
    case 'copy':
      return written(document, path, found(document, pointer(step.from)), 'add')
    case 'test':
      if (!isDeepStrictEqual(found(document, path), value())) throw new PatchError(`testing value ${step.path} failed`)
      return document
    default:
      throw new PatchError(`Unexpected kind: ${step.op}`)
  }
}

function pointer(text: Json | undefined): readonly string[] {
  if (text === '') return []
  if (typeof text !== 'string' || !text.startsWith('/')) throw new PatchError(`'${text}' is no JSON pointer`)
  return text
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

const missing = (path: readonly string[]): PatchError => new PatchError(`doc is missing path: "/${path.join('/')}": missing value`)

function found(document: Json, path: readonly string[]): Json {
  let here: Json | undefined = document
  for (const token of path) {
    if (isList(here)) here = here[index(token, here.length - 1, path)]
    else here = isObject(here) && Object.hasOwn(here, token) ? here[token] : undefined
    if (here === undefined) throw missing(path)
  }
  return here
}

/** '-' is the one after the last. */
function index(token: string, last: number, path: readonly string[]): number {
  const at = /^(0|[1-9]\d*)$/.test(token) ? Number(token) : Number.NaN
  if (!(at <= last)) throw missing(path)
  return at
}

function written(document: Json, path: readonly string[], value: Json, how: 'add' | 'replace'): Json {
  return changed(
    document,
    path,
    path,
    (parent, token) => {
      if (!isList(parent)) return {...parent, [token]: value}
      const at = token === '-' && how === 'add' ? parent.length : index(token, how === 'add' ? parent.length : parent.length - 1, path)
      return how === 'add' ? parent.toSpliced(at, 0, value) : parent.with(at, value)
    },
    value,
  )
}

function removed(document: Json, path: readonly string[]): Json {
  found(document, path)
  return changed(
    document,
    path,
    path,
    (parent, token) => {
      if (isList(parent)) return parent.toSpliced(Number(token), 1)
      const {[token]: _, ...rest} = parent
      return rest
    },
    null,
  )
}

type Parent = readonly Json[] | {readonly [field: string]: Json}

function changed(
  here: Json,
  left: readonly string[],
  path: readonly string[],
  change: (parent: Parent, token: string) => Json,
  root: Json,
): Json {
  const [token, ...deeper] = left
  if (token === undefined) return root
  if (!isList(here) && !isObject(here)) throw missing(path)
  if (deeper.length === 0) return change(here, token)
  const next = (child: Json) => changed(child, deeper, path, change, root)
  if (isList(here)) {
    const at = index(token, here.length - 1, path)
    return here.with(at, next(here[at] ?? null))
  }
  if (!Object.hasOwn(here, token)) throw missing(path)
  return {...here, [token]: next(here[token] ?? null)}
}
