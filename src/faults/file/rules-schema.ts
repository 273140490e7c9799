// A file of rules. For editors: fixtures/schema/rules.json; in words: docs/faults.md.
import * as v from 'valibot'
import {isSeed, seedMust} from '../../base/seed.ts'
import {strict} from '../../base/yaml/strict.ts'
import {listOf} from '../../base/yaml/values.ts'
import {ruleSchema} from './rule-schema.ts'

export const rulesSchema = strict({
  /** Of the throws of `probability` and `jitter`. */
  seed: v.exactOptional(v.pipe(v.number(seedMust), v.check(isSeed, seedMust))),
  rules: v.pipe(listOf(ruleSchema), v.minLength(1, 'a list of at least one')),
})

export type RulesFile = v.InferOutput<typeof rulesSchema>
