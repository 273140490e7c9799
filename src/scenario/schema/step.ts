// Steps: what is done from outside, and when.
import * as v from 'valibot'
import {byKey, strict} from '../../base/yaml/strict.ts'
import {duration, flag, shortOrLong, text, wholeSeconds} from '../../base/yaml/values.ts'
import {matcherSchema} from './matcher.ts'
import {ruleSchema} from './rule.ts'
import {diskPath, exitCode, objectName, pathPattern, podPattern} from './values.ts'

const when = {
  /** From the start of the run. */
  at: v.exactOptional(duration),
  /** Or when this happens, after the step before. */
  after: v.exactOptional(matcherSchema),
  /** That much later. */
  plus: v.exactOptional(duration),
  /** How long the event may be waited for. */
  within: v.exactOptional(duration),
  /** It does not matter whether it can be done. */
  optional: v.exactOptional(flag),
}

const podAnd = <Entries extends v.ObjectEntries>(more: Entries) => strict({pod: podPattern, ...more})
const container = {container: text}

/** What can be done, each with what it takes. */
const actions = {
  create: podPattern,
  delete: shortOrLong(
    v.pipe(
      podPattern,
      v.transform((pod): {pod: string; gracePeriod?: number} => ({pod})),
    ),
    podAnd({gracePeriod: v.exactOptional(wholeSeconds)}),
  ),
  removeFinalizers: podPattern,
  killContainer: podAnd({...container, exitCode: v.exactOptional(exitCode)}),
  removeContainer: podAnd(container),
  loseContainer: podAnd(container),
  evict: shortOrLong(
    v.pipe(
      podPattern,
      v.transform((pod): {pod: string; message?: string} => ({pod})),
    ),
    podAnd({message: v.exactOptional(text)}),
  ),
  readiness: podAnd({...container, ready: flag}),
  restartKubelet: strict({down: v.exactOptional(duration)}),
  restartDriver: strict({driver: objectName, down: v.exactOptional(duration), unregister: v.exactOptional(flag)}),
  removePath: pathPattern,
  makePath: diskPath,
  addRule: ruleSchema,
  removeRule: text,
}

export const stepSchema = byKey('a step', {
  create: strict({...when, create: actions.create}),
  delete: strict({...when, delete: actions.delete}),
  removeFinalizers: strict({...when, removeFinalizers: actions.removeFinalizers}),
  killContainer: strict({...when, killContainer: actions.killContainer}),
  removeContainer: strict({...when, removeContainer: actions.removeContainer}),
  loseContainer: strict({...when, loseContainer: actions.loseContainer}),
  evict: strict({...when, evict: actions.evict}),
  readiness: strict({...when, readiness: actions.readiness}),
  restartKubelet: strict({...when, restartKubelet: actions.restartKubelet}),
  restartDriver: strict({...when, restartDriver: actions.restartDriver}),
  removePath: strict({...when, removePath: actions.removePath}),
  makePath: strict({...when, makePath: actions.makePath}),
  addRule: strict({...when, addRule: actions.addRule}),
  removeRule: strict({...when, removeRule: actions.removeRule}),
})

export type Step = v.InferOutput<typeof stepSchema>
