// What a rule counts by is there in the requests of its calls, and has one value: otherwise all of them count together.
import {getOption} from '@bufbuild/protobuf'
import {nearest} from '../../base/nearest.ts'
import {type Path, pathWords} from '../../base/yaml/path-words.ts'
import type {Problem} from '../../base/yaml/problem.ts'
import {csi_secret as csiSecret} from '../../wire/gen/csi_pb.ts'
import {isFact, perFacts} from '../count/per.ts'
import type {Rule} from '../rule.ts'
import {fieldAt} from './field-at.ts'
import {isForAll, methodsFor, methodsLike} from './known-calls.ts'

/** @param path of the rule */
export function wrongPer({per, match}: Rule, path: Path): readonly Problem[] {
  if (per === undefined || isFact(per)) return []
  // No field of a call that we cannot read is known.
  const methods = isForAll(match) ? methodsFor({}) : methodsLike(match)
  const found = methods.map(({input}) => fieldAt(input, per))
  if (methods.length === 0 || found.some((at) => typeof at !== 'string' && !isSecret(at.field) && isOne(at))) return []
  const [at] = found.filter((each) => typeof each !== 'string')
  const said =
    at === undefined
      ? missing(per, methods)
      : isSecret(at.field)
        ? 'another field, as secrets are not looked at'
        : 'the path of a field with one value'
  return [{what: `${pathWords([...path, 'per'])} must be ${said}: it is '${per}'`, path: [...path, 'per'], ofKey: false}]
}

type At = Exclude<ReturnType<typeof fieldAt>, string>

const isSecret = (field: At['field']): boolean => getOption(field, csiSecret)

const isOne = ({field, isEntry}: At): boolean =>
  field.fieldKind === 'list' || field.fieldKind === 'map' ? isEntry && field.message === undefined : field.message === undefined

function missing(per: string, methods: ReturnType<typeof methodsFor>): string {
  const fields = new Set(methods.flatMap(({input}) => input.fields.map(({jsonName}) => jsonName)))
  const near = nearest(per, [...perFacts, ...fields])
  const [only, ...others] = new Set(methods.map(({input}) => input.name))
  const whose = only !== undefined && others.length === 0 ? only : 'the requests that it is about'
  return `one of ${perFacts.join(', ')}, or a field of ${whose}${near === undefined ? '' : ` ('${near}' may be meant)`}`
}
