// Matchers: which events of a timeline are meant. Told apart by their first key.
import * as v from 'valibot'
import {byKey, strict} from '../../base/yaml/strict.ts'
import {flag, oneOf, recordOf, text} from '../../base/yaml/values.ts'
import {fieldsOf, services} from './rule.ts'
import {exitCode as code, pathPattern, podPattern} from './values.ts'

/** A value of the API, or whether there is one at all. */
const textOrNot = v.exactOptional(text)
const exitCode = v.exactOptional(code)
const pod = v.exactOptional(podPattern)

const callMatcher = strict({
  call: text,
  to: v.exactOptional(oneOf(services)),
  pod,
  container: v.exactOptional(text),
  request: v.exactOptional(fieldsOf),
  /** With one, the moment is that of the call's end. */
  outcome: v.exactOptional(text),
  /** What a failure says of the operation: 'final', the driver is not at work any more; 'uncertain', it may be. */
  class: v.exactOptional(oneOf(['final', 'uncertain'])),
  fault: v.exactOptional(text),
})

const containerState = strict({
  state: v.exactOptional(oneOf(['waiting', 'running', 'terminated', 'absent'])),
  exitCode,
  reason: textOrNot,
  containerID: v.exactOptional(oneOf(['present', 'absent'])),
  finishedAt: v.exactOptional(oneOf(['present', 'absent'])),
  ready: v.exactOptional(flag),
  lastExitCode: exitCode,
})

const seen = {
  pod,
  phase: v.exactOptional(oneOf(['Pending', 'Running', 'Succeeded', 'Failed'])),
  reason: textOrNot,
  terminating: v.exactOptional(flag),
  ready: v.exactOptional(flag),
  containers: v.exactOptional(recordOf(containerState)),
  initContainers: v.exactOptional(recordOf(containerState)),
}

/** What a watcher of pods sees, when the question is not what kind of event it was. */
export const seenSchema = strict(seen)

const watchMatcher = strict({watch: oneOf(['ADDED', 'MODIFIED', 'DELETED', 'any']), ...seen})

const runtimeMatcher = strict({
  runtime: oneOf(['created', 'started', 'start-failed', 'exited', 'removed']),
  pod,
  /** 'sandbox' for the pod's own. */
  container: v.exactOptional(text),
  exitCode,
  reason: textOrNot,
})

const diskMatcher = strict({
  disk: oneOf(['made', 'removed', 'mounted', 'unmounted']),
  path: pathPattern,
  entry: v.exactOptional(oneOf(['directory', 'file', 'symlink', 'device'])),
})

const logMatcher = strict({log: text, pod, fields: v.exactOptional(fieldsOf)})
const stepMatcher = strict({step: text})

export const matcherSchema = byKey('a matcher', {
  call: callMatcher,
  watch: watchMatcher,
  runtime: runtimeMatcher,
  disk: diskMatcher,
  log: logMatcher,
  step: stepMatcher,
})

export type Matcher = v.InferOutput<typeof matcherSchema>
export type CallMatcher = v.InferOutput<typeof callMatcher>
export type WatchMatcher = v.InferOutput<typeof watchMatcher>
export type RuntimeMatcher = v.InferOutput<typeof runtimeMatcher>
export type DiskMatcher = v.InferOutput<typeof diskMatcher>
export type LogMatcher = v.InferOutput<typeof logMatcher>
export type StepMatcher = v.InferOutput<typeof stepMatcher>
export type Seen = v.InferOutput<typeof seenSchema>
export type SeenContainer = v.InferOutput<typeof containerState>
