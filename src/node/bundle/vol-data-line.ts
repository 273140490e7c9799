// A line of a bundle's disk/vol-data.jsonl: one vol_data.json, as text, as base64 where it is no text, or why nobody could read it.
import {fieldsOf} from '../kube-list.ts'
import {readVolData, type VolDataFile} from '../vol-data.ts'

/** Undefined when the line says neither. */
export function parseVolDataLine(line: unknown): VolDataFile | undefined {
  const {path, content, base64, unreadable} = fieldsOf(line) ?? {}
  if (typeof path !== 'string') return undefined
  if (typeof content === 'string') return {path, data: readVolData(new TextEncoder().encode(content))}
  if (typeof base64 === 'string') return {path, data: readVolData(Buffer.from(base64, 'base64'))}
  return typeof unreadable === 'string' ? {path, data: {unreadable}} : undefined
}
