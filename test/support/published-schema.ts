// A published schema as our own tests hold to it: readers must let pass fields that they do not know, and we must not print any that it does not tell of.
import {readFileSync} from 'node:fs'

type Json = null | boolean | number | string | readonly Json[] | {readonly [key: string]: Json}

export function publishedSchema(name: 'check-report' | 'diff' | 'explore' | 'repro' | 'volumes' | 'why'): object {
  return closed(JSON.parse(readFileSync(`fixtures/schema/${name}.json`, 'utf8'))) as object
}

function closed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const inside = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]))
  const isObject = inside.type === 'object' && 'properties' in inside && !('additionalProperties' in inside)
  return isObject ? {...inside, additionalProperties: false} : inside
}
