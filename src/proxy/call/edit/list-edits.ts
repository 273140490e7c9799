// Entries of a list leave it, are in it twice, or are made up.
import {fromBinary, type Message, toBinary} from '@bufbuild/protobuf'
import {type ReflectMessage, reflect} from '@bufbuild/protobuf/reflect'
import type {Scalar} from '../../../faults/edit.ts'
import {listsAt} from './fields.ts'
import {setAt} from './set-at.ts'
import {fits} from './where.ts'

type Where = Readonly<Record<string, Scalar>> | undefined

/** @throws Unreadable */
export function dropEntries(message: ReflectMessage, path: string, where: Where): void {
  replaceEntries(message, path, (entry) => (fits(entry, where) ? [] : [entry]))
}

/** The second one right behind the first. @throws Unreadable */
export function duplicateEntries(message: ReflectMessage, path: string, where: Where): void {
  replaceEntries(message, path, (entry) => (fits(entry, where) ? [entry, entry] : [entry]))
}

/** Behind all others: the first one's copy, or an empty message, with these fields. @throws Unreadable */
export function addPhantom(message: ReflectMessage, path: string, entry: Readonly<Record<string, unknown>>): void {
  for (const {owner, field} of listsAt(message, path)) {
    const list = owner.get(field)
    const first = list.get(0) as ReflectMessage | undefined
    const phantom = first === undefined ? reflect(messageOf(field)) : copyOf(first)
    for (const [name, value] of Object.entries(entry)) setAt(phantom, name, value)
    list.add(phantom)
  }
}

function replaceEntries(message: ReflectMessage, path: string, become: (entry: ReflectMessage) => readonly ReflectMessage[]): void {
  for (const {owner, field} of listsAt(message, path)) {
    const list = owner.get(field)
    const entries = [...list].flatMap((entry) => become(entry as ReflectMessage))
    list.clear()
    for (const entry of entries) list.add(entry)
  }
}

/** By its bytes: so it has the fields that are not known, too. */
function copyOf({desc, message}: ReflectMessage): ReflectMessage {
  return reflect(desc, fromBinary(desc, toBinary(desc, message as Message)))
}

function messageOf(field: ReturnType<typeof listsAt>[number]['field']) {
  if (field.listKind !== 'message') throw new Error(`'${field.name}' is no list of messages`)
  return field.message
}
