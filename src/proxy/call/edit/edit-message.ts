// Changes a message of a known type. It stays an object of its own type while that is done, as its JSON would lose the fields that our .proto
// files do not have: those stay as they came.
import {type DescMessage, fromBinary, toBinary} from '@bufbuild/protobuf'
import {reflect} from '@bufbuild/protobuf/reflect'
import type {Edit} from '../../../faults/edit.ts'
import {Unreadable} from '../message/unreadable.ts'
import {addPhantom, dropEntries, duplicateEntries} from './list-edits.ts'
import {pad} from './pad.ts'
import {setAt} from './set-at.ts'

/** @throws Unreadable when it is no such message, or has no such field, or the field no such value */
export function editMessage(desc: DescMessage, bytes: Uint8Array, edits: readonly Edit[]): Uint8Array {
  const message = reflect(desc, decoded(desc, bytes))
  for (const edit of edits) {
    switch (edit.kind) {
      case 'set':
        setAt(message, edit.path, edit.value)
        break
      case 'drop':
        dropEntries(message, edit.list, edit.where)
        break
      case 'duplicate':
        duplicateEntries(message, edit.list, edit.where)
        break
      case 'phantom':
        addPhantom(message, edit.list, edit.entry)
        break
      case 'pad':
        pad(message, edit.bytes)
        break
      default:
        edit satisfies never
    }
  }
  return toBinary(desc, message.message)
}

function decoded(desc: DescMessage, bytes: Uint8Array) {
  try {
    return fromBinary(desc, bytes)
  } catch {
    throw new Unreadable(`it is no ${desc.name}`)
  }
}
