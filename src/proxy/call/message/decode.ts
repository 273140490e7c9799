// A message of a known type from what was on the wire.
import {type DescMessage, fromBinary, type Message} from '@bufbuild/protobuf'
import type {HeaderField} from '../../../http2/header-field.ts'
import type {FramedMessage} from './message-splitter.ts'
import {plainBytes} from './plain-bytes.ts'
import {Unreadable} from './unreadable.ts'

/** @throws Unreadable */
export function decode(desc: DescMessage, framed: FramedMessage, fields: readonly HeaderField[]): Message {
  const bytes = plainBytes(framed, fields)
  try {
    return fromBinary(desc, bytes)
  } catch {
    throw new Unreadable(`it is no ${desc.name}`)
  }
}
