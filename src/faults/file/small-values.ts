// The small values of a rule.
import * as v from 'valibot'
import {namedOneOf, recordOf, text} from '../../base/yaml/values.ts'
import {rpcCodes} from '../../wire/rpc-failure.ts'
import {parsePath} from '../match/field-path.ts'

export const code = namedOneOf('a code of gRPC', rpcCodes)

const scalar = v.union([v.string(), v.number(), v.boolean()], 'a text, a number, true or false')
const pathMust = 'the path of a field, such as status.state or containers[].labels[app.kubernetes.io/name]'
const isPath = (path: string): boolean => parsePath(path) !== undefined
const byPath = {may: (key: string) => key !== '__proto__' && isPath(key), must: pathMust}

/** It is a part of paths, such as that of the control socket. */
export const ruleName = v.pipe(
  text,
  v.maxLength(200, 'a text of at most 200 characters'),
  v.check((name) => name !== '.' && name !== '..' && name.isWellFormed(), "a name other than '.' and '..'"),
)

export const fieldPath = v.pipe(text, v.check(isPath, pathMust))

/** What fields must be; in a text, '*' stands for any letters. */
export const fieldsAre = recordOf(scalar, byPath)

/** What fields become. */
export const newValues = recordOf(v.unknown(), byPath)

const units: Readonly<Record<string, number>> = {B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30}
/** More than any client takes. */
const mostBytes = 2 ** 30

/** '16MiB+1' is just too large for who takes 16 MiB. */
export const bytes = v.pipe(
  v.union([v.string(), v.number()], 'a number of bytes such as 4096 or 16MiB'),
  v.rawTransform(({dataset, addIssue, NEVER}) => {
    const [, amount, unit = 'B', more] = /^(\d+)(B|KiB|MiB|GiB)?(?:\+(\d+))?$/.exec(`${dataset.value}`) ?? []
    const given = Number(amount) * (units[unit] ?? 1) + Number(more ?? 0)
    if (given > 0 && given <= mostBytes) return given
    addIssue({message: given > mostBytes ? 'at most 1GiB' : 'a number of bytes such as 4096, 64KiB, 16MiB+1 or 1GiB'})
    return NEVER
  }),
)
