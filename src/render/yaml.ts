// Plain data as YAML. Written by hand: what reads it may hold to YAML 1.1 or 1.2, so every text that either takes for something else is quoted.
import {escapedJson} from './escaped.ts'

export type Json = string | number | boolean | null | readonly Json[] | {readonly [key: string]: Json}

/** Ends in a line break. */
export function yaml(value: Json): string {
  return isBlock(value) ? block(value, '') : `${scalar(value)}\n`
}

type Block = readonly Json[] | {readonly [key: string]: Json}

function isBlock(value: Json): value is Block {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

function block(value: Block, indent: string): string {
  if (isList(value))
    return value.map((item) => `${indent}- ${isBlock(item) ? block(item, `${indent}  `).trimStart() : `${scalar(item)}\n`}`).join('')
  return Object.entries(value)
    .map(
      ([key, item]) =>
        `${indent}${text(key)}:${isBlock(item) ? `\n${block(item, isList(item) ? indent : `${indent}  `)}` : ` ${scalar(item)}\n`}`,
    )
    .join('')
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

function scalar(value: Json): string {
  if (typeof value === 'string') return text(value)
  return isList(value) ? '[]' : typeof value === 'object' && value !== null ? '{}' : String(value)
}

const plain = /^[A-Za-z_](?:[\w./@-]|:(?=[\w./@-]))*$/
const words = /^(y|n|yes|no|on|off|true|false|null|nan|inf)$/i

/** Every JSON text is a double-quoted one of YAML. */
function text(value: string): string {
  return plain.test(value) && !words.test(value) ? value : escapedJson(JSON.stringify(value))
}
