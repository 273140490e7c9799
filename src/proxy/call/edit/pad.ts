// Makes a message so many bytes long: by an annotation (or a label) where it is about something that has those, or else by a field that nobody knows.
import {type DescField, type Message, toBinary} from '@bufbuild/protobuf'
import type {ReflectMap, ReflectMessage} from '@bufbuild/protobuf/reflect'
import {BinaryWriter, WireType} from '@bufbuild/protobuf/wire'

const key = 'kubelimbo/pad'

/** Of messages of the interfaces none has this field. */
const unknownField = 536_870_000

export function pad(message: ReflectMessage, bytes: number): void {
  const size = () => toBinary(message.desc, message.message as Message).length
  const lacking = bytes - size()
  if (lacking <= 0) return
  const map = annotationsIn(message)
  const fill = map === undefined ? fillUnknown(message) : (count: number) => void map.set(key, 'x'.repeat(count))
  let count = lacking
  fill(count)
  // What is around the text has a few bytes, too: how many depends on the lengths.
  for (let tries = 0; tries < 3; tries++) {
    const over = size() - bytes
    if (over === 0) return
    count = Math.max(0, count - over)
    fill(count)
  }
  while (size() < bytes) fill(++count)
}

function fillUnknown(message: ReflectMessage): (count: number) => void {
  const others = message.getUnknown() ?? []
  return (count) => {
    const data = new BinaryWriter().bytes(new Uint8Array(count)).finish()
    message.setUnknown([...others, {no: unknownField, wireType: WireType.LengthDelimited, data}])
  }
}

/** Of the first entry of a list, or of the one thing that the message is about. */
function annotationsIn(message: ReflectMessage): ReflectMap | undefined {
  for (const name of ['annotations', 'labels']) {
    for (const field of message.fields) {
      const map = mapIn(aboutIn(message, field), name)
      if (map !== undefined) return map
    }
  }
  return undefined
}

function aboutIn(message: ReflectMessage, field: DescField): ReflectMessage | undefined {
  if (field.fieldKind === 'message') return message.isSet(field) ? message.get(field) : undefined
  return field.fieldKind === 'list' && field.listKind === 'message' ? (message.get(field).get(0) as ReflectMessage | undefined) : undefined
}

function mapIn(message: ReflectMessage | undefined, name: string): ReflectMap | undefined {
  const field = message?.fields.find((each) => each.name === name)
  return message !== undefined && field?.fieldKind === 'map' && field.mapKind === 'scalar' ? message.get(field) : undefined
}
