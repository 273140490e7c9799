// Changes of messages that we can read: their fields are there, and can have the values.
import {type DescMethod, fromJson, type JsonValue} from '@bufbuild/protobuf'
import {type Path, pathWords} from '../../base/yaml/path-words.ts'
import type {Problem} from '../../base/yaml/problem.ts'
import type {Edit} from '../edit.ts'
import type {Rule} from '../rule.ts'
import {wrongField, wrongList} from './wrong-field.ts'

/** @param path of the fault */
export function wrongEdits({fault}: Rule, methods: readonly DescMethod[], path: Path): readonly Problem[] {
  const {request = [], reply} = fault.plan
  const inputs = methods.map(({input}) => input)
  const outputs = methods.map(({output}) => output)
  const sets = (edits: readonly Edit[], messages: typeof inputs, side: string) =>
    edits.flatMap((edit) => (edit.kind === 'set' ? wrongField(messages, edit.path, {is: edit.value}, [...path, side, edit.path]) : []))
  return [
    ...sets(request, inputs, 'request'),
    ...(reply.kind === 'edit' ? [...sets(reply.edits, outputs, 'reply'), ...wrongLists(reply.edits, outputs, path)] : []),
    ...(reply.kind === 'replace' && 'response' in reply.with ? wrongResponse(reply.with.response, outputs, [...path, 'response']) : []),
  ]
}

function wrongLists(edits: readonly Edit[], messages: Parameters<typeof wrongList>[0], path: Path): readonly Problem[] {
  const list = edits.find((edit) => 'list' in edit)?.list
  const wrong = list === undefined ? [] : wrongList(messages, list, [...path, 'list'])
  if (wrong.length > 0) return wrong
  return edits.flatMap((edit) => {
    if (edit.kind === 'set' || edit.kind === 'pad') return []
    const fields = edit.kind === 'phantom' ? edit.entry : (edit.where ?? {})
    return Object.entries(fields).flatMap(([field, value]) =>
      wrongField(messages, `${edit.list}[].${field}`, edit.kind === 'phantom' ? {is: value} : {like: value}, [...path, edit.kind, field]),
    )
  })
}

function wrongResponse(response: unknown, messages: readonly DescMethod['output'][], path: Path): readonly Problem[] {
  const errors = messages.flatMap((message) => {
    try {
      fromJson(message, response as JsonValue)
      return []
    } catch (error) {
      return [`a ${message.name} as JSON has it (${firstSentence(error)})`]
    }
  })
  // Of several calls, one that can have it is enough.
  const [first] = errors
  if (first === undefined || errors.length < messages.length) return []
  return [{what: `${pathWords(path)} must be ${first}: it is a map`, path, ofKey: false}]
}

const firstSentence = (error: unknown): string =>
  (error instanceof Error ? error.message : `${error}`).replace(/^cannot decode (message|field) \S+ from JSON: /, '')
