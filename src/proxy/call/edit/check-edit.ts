// Whether an edit fits messages of a type, before there is one: done to a message that has an entry in each list that the edit goes through.
import {type DescMessage, fromBinary, type Message, toBinary} from '@bufbuild/protobuf'
import {type ReflectMessage, reflect} from '@bufbuild/protobuf/reflect'
import type {Edit} from '../../../faults/edit.ts'
import {editMessage} from './edit-message.ts'
import {fieldNamed, stepsOf} from './fields.ts'

/** @throws Unreadable when it does not */
export function checkEdit(desc: DescMessage, edit: Edit): void {
  if (edit.kind === 'pad') return
  const sample = reflect(desc)
  const way = edit.kind === 'set' ? edit.path : `${edit.list.replace(/\[\]$/, '')}[]`
  makeWay(sample, stepsOf(way), 0)
  editMessage(desc, toBinary(desc, sample.message as Message), [edit])
}

/** As far as there are such fields: who has no way finds that out by himself. */
function makeWay(message: ReflectMessage, steps: ReturnType<typeof stepsOf>, from: number): void {
  const step = steps[from]
  if (step === undefined || step === 'each') return
  const field = fieldNamed(message.desc, step.key)
  const next = steps[from + 1]
  if (next === undefined) return
  if (field.fieldKind === 'message') {
    const inner = reflect(field.message, fromBinary(field.message, new Uint8Array(0)))
    makeWay(inner, steps, from + 1)
    message.set(field, inner)
  } else if (field.fieldKind === 'list' && field.listKind === 'message') {
    const count = next === 'each' ? 1 : Math.min(Number(next.key) || 0, 100) + 1
    for (let entries = 0; entries < count; entries++) {
      const entry = reflect(field.message)
      makeWay(entry, steps, from + 2)
      message.get(field).add(entry)
    }
  }
}
