// A message as protobuf's JSON, without its secrets: those that the .proto marks (csi_secret, debug_redact), values of the environment, and what looks like one.
import {type DescField, type DescMessage, getOption, type JsonValue, type Message, toJson} from '@bufbuild/protobuf'
import {type ReflectMessage, reflect} from '@bufbuild/protobuf/reflect'
import {csi_secret as csiSecret} from '../../wire/gen/csi_pb.ts'
import {redactWords} from '../redaction/command.ts'
import type {Hit} from '../redaction/mark.ts'
import {redactText} from '../redaction/text.ts'
import {redactNamed, redactString} from '../redaction.ts'

/** fromJson() makes a message of it again. What the .proto does not have is not in it, as nobody can tell what that is. The message itself is left as it is. @throws Error when it has no form as JSON: a moment after the year 9999 */
export function redactedMessage(desc: DescMessage, message: Message, hit: Hit): JsonValue {
  return toJson(desc, redacted(reflect(desc, message), false, hit).message)
}

/** @param secret it is in a field that is secret, with all that is in it */
function redacted(message: ReflectMessage, secret: boolean, hit: Hit): ReflectMessage {
  const copy = reflect(message.desc)
  for (const field of message.fields) {
    if (message.isSet(field)) copyField(field, message, copy, secret || isSecret(field), hit)
  }
  return copy
}

function copyField(field: DescField, from: ReflectMessage, to: ReflectMessage, secret: boolean, hit: Hit): void {
  switch (field.fieldKind) {
    case 'list': {
      const items = [...from.get(field)]
      const list = to.get(field)
      // An option's value may be the item after it.
      const texts = secret ? undefined : textsOf(items)
      for (const item of texts ? redactWords(texts, hit) : items.map((each) => value(field, each, secret, hit)))
        if (item !== undefined) list.add(item)
      return
    }
    case 'map': {
      const map = to.get(field)
      for (const [key, item] of from.get(field)) {
        const kept = !secret && typeof item === 'string' ? redactNamed(`${key}`, item, hit) : value(field, item, secret, hit)
        if (kept !== undefined) map.set(typeof key === 'string' ? redactText(key, hit) : key, kept)
      }
      return
    }
    case 'message':
    case 'enum':
    case 'scalar': {
      const kept = value(field, from.get(field), secret, hit)
      if (kept !== undefined) to.set(field, kept)
      return
    }
    default:
      field satisfies never
  }
}

/** Undefined where nothing of it can stay. */
function value(field: DescField, item: unknown, secret: boolean, hit: Hit): unknown {
  if (field.message !== undefined)
    return field.message.typeName === anything ? void hit('unknown message') : redacted(item as ReflectMessage, secret, hit)
  if (isEnvironment(field)) return hidden(item, 'environment value', hit)
  if (secret) return hidden(item, 'secret field', hit)
  if (typeof item === 'string') return shownText(field, item, hit)
  return item instanceof Uint8Array ? shownBytes(item, hit) : item
}

/** Of what type it is, and what is secret in it, only others know. */
const anything = 'google.protobuf.Any'

/** Nobody can tell which of them are secret. */
const isEnvironment = ({name, parent}: DescField) => name === 'value' && parent.typeName === 'runtime.v1.KeyValue'

function hidden(item: unknown, rule: string, hit: Hit): unknown {
  if (item === '' || (item instanceof Uint8Array && item.length === 0)) return item
  const instead = hit(rule)
  if (typeof item === 'string') return instead
  return item instanceof Uint8Array ? new TextEncoder().encode(instead) : undefined
}

/** Whoever has the URL of a stream may run a command with it, once. */
const streamingUrl = /^(https?:\/\/[^/]{0,256}\/(?:exec|attach|portforward)\/)[\s\S]+$/

function shownText(field: DescField, text: string, hit: Hit): string {
  const url = field.name === 'url' ? streamingUrl.exec(text)?.[1] : undefined
  return url === undefined ? redactNamed(field.jsonName, text, hit) : url + hit('streaming url')
}

/** What a command printed. Of bytes that are no text nothing is known. */
function shownBytes(bytes: Uint8Array, hit: Hit): Uint8Array {
  try {
    return new TextEncoder().encode(redactString(new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes), hit))
  } catch {
    return new TextEncoder().encode(hit('bytes'))
  }
}

function textsOf(items: readonly unknown[]): string[] | undefined {
  const texts = items.filter((item) => typeof item === 'string')
  return texts.length === items.length ? texts : undefined
}

function isSecret(field: DescField): boolean {
  return field.proto.options !== undefined && (field.proto.options.debugRedact || getOption(field, csiSecret))
}
