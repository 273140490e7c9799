// Rules as people write them: which calls, how many of them, and what happens to them.
import * as v from 'valibot'
import {strict} from '../../base/yaml/strict.ts'
import {count, duration, int32, oneOf, text, whole} from '../../base/yaml/values.ts'
import {isPer, perFacts} from '../count/per.ts'
import {notifiesRegistration} from '../register-lost.ts'
import type {Rule} from '../rule.ts'
import {faultSchema} from './fault-schema.ts'
import {fieldsAre, ruleName} from './small-values.ts'

const may = v.exactOptional

/** 'namespace/name'; a name alone is in the namespace default. */
const namespaced = (what: string) =>
  v.pipe(
    v.string(`${what}'s name, or namespace/name`),
    v.regex(/^[a-z0-9.*-]+(\/[a-z0-9.*-]+)?$/, `${what}'s name, or namespace/name, in which * stands for any letters`),
    v.transform((name) => (name.includes('/') || name === '*' ? name : `default/${name}`)),
  )

/** Callees whose calls come by a socket of gRPC. */
const callees = ['cri', 'csi', 'registration', 'other'] as const

const match = strict({
  to: may(oneOf(callees)),
  service: may(text),
  method: may(text),
  pod: may(namespaced('a pod')),
  podUid: may(text),
  container: may(text),
  pvc: may(namespaced('a claim')),
  request: may(fieldsAre),
})

const most = whole(1, int32)

const written = strict({
  name: ruleName,
  match: may(match, {}),
  skip: may(count),
  limit: may(most),
  every: may(most),
  per: may(v.pipe(text, v.check(isPer, `one of ${perFacts.join(', ')}, or the path of a field of the request`))),
  probability: may(
    v.pipe(
      v.number('a number from above 0 to 1'),
      v.check((given) => given > 0 && given <= 1, 'from above 0 to 1'),
    ),
  ),
  from: may(duration),
  until: may(duration),
  fault: faultSchema,
})

export const ruleSchema = v.pipe(
  written,
  v.transform((rule): Rule => (rule.fault.kind === 'register-lost' ? {...rule, match: {...notifiesRegistration, ...rule.match}} : rule)),
)
