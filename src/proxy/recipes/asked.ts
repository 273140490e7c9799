// What somebody says beside the name of a recipe, as flags have it.
import {UserError} from '../../base/errors.ts'
import type {Scalar} from '../../faults/edit.ts'

export interface Asked {
  /** 'namespace/name', or a name in the namespace default; the same for `pod`. */
  readonly pvc?: string
  readonly pod?: string
  /** Its name, or the first digits of its id. */
  readonly container?: string
  readonly driver?: string
  /** Fields of the request: 'volumeId'. */
  readonly request?: Readonly<Record<string, Scalar>>
  /** How many calls, instead of the recipe's own number. */
  readonly count?: number
  /** The socket of the server, for whoever knows better than what is found. */
  readonly upstream?: string
  /** The same, of one that is to be taken over. */
  readonly socket?: string
}

export interface Namespaced {
  readonly namespace: string
  readonly name: string
}

/** @throws UserError that names the flag */
export function namespacedOf(text: string, flag: string): Namespaced {
  const parts = text.split('/')
  const [namespace = '', name = ''] = parts.length === 1 ? ['default', text] : parts
  if (parts.length > 2 || namespace === '' || name === '')
    throw new UserError(`Cannot use ${flag} as it must be NAMESPACE/NAME, or a name in the namespace default: it is '${text}'`)
  return {namespace, name}
}

export const slashed = ({namespace, name}: Namespaced): string => `${namespace}/${name}`
