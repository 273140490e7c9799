// What `pods` and `ps` have in common: what to select, and how it is asked for.
import {UserError} from '../base/errors.ts'
import {parseInstant} from '../base/instant.ts'
import {compilePattern} from './cri-pattern.ts'
import type {Selection} from './cri-selection.ts'
import type {NodeRequest} from './node-request.ts'
import type {RuntimeRequest} from './runtime-source.ts'

export interface ListRequest extends RuntimeRequest, NodeRequest {
  readonly id?: string
  readonly name?: string
  readonly namespace?: string
  readonly state?: string
  /** 'key=value', several with commas between. */
  readonly labels: readonly string[]
  readonly latest: boolean
  readonly last?: number
  /** What ages are counted to, RFC 3339; default: the moment of the lists. */
  readonly now?: string
  /** A modelled version; default: the one nearest to the kubelet's. */
  readonly profile?: string
}

/** @throws UserError */
export function selectionOf({name, namespace, latest, last}: ListRequest): Selection {
  return {
    latest,
    ...(last !== undefined && {last}),
    ...(name && {name: compilePattern(name, '--name')}),
    ...(namespace && {namespace: compilePattern(namespace, '--namespace')}),
  }
}

/** @throws UserError */
export function labelsOf({labels}: ListRequest): Readonly<Record<string, string>> | undefined {
  if (labels.length === 0) return undefined
  return Object.fromEntries(
    labels
      .flatMap((text) => text.split(','))
      .map((text) => {
        const [key, value, ...rest] = text.split('=')
        if (key === undefined || value === undefined || rest.length > 0) {
          throw new UserError(`Cannot use --label as it must be key=value: it is '${text}'`)
        }
        return [key, value]
      }),
  )
}

/** @throws UserError */
export function stateOf<T>({state}: ListRequest, states: Readonly<Record<string, T>>): T | undefined {
  if (!state) return undefined
  const word = state.toLowerCase()
  const found = Object.hasOwn(states, word) ? states[word] : undefined
  if (found === undefined)
    throw new UserError(`Cannot use --state as it must be one of ${Object.keys(states).join(', ')}: it is '${state}'`)
  return found
}

/** @throws UserError */
export function nowOf({now}: ListRequest): number | undefined {
  return now === undefined ? undefined : parseInstant(now, '--now')
}

/** Filtered by the runtime: from what such a list lacks nothing may be concluded. */
export function filteredBy(request: ListRequest & {readonly podId?: string}): string | undefined {
  const names = [request.id && '--id', request.podId && '--pod', request.state && '--state', request.labels.length > 0 && '--label'].filter(
    Boolean,
  )
  return names.length === 0 ? undefined : `only what ${names.join(' and ')} let through`
}

/** What crictl drops without a word. */
export function leftOut(count: number, what: string): readonly string[] {
  return count === 0 ? [] : [`${what} without metadata are left out, as crictl does: ${count}`]
}
