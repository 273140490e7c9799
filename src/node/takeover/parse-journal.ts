// A journal's bytes: whatever lies in the folder, a journal or why it is none.
import * as v from 'valibot'
import {readRegularFile} from '../disk/regular-file.ts'
import {type Journal, journalLimit, journalSchema} from './journal.ts'

export type JournalText = {readonly journal: Journal} | {readonly unreadable: string}

export function parseJournal(bytes: Uint8Array): JournalText {
  if (bytes.length === 0) return {unreadable: 'it is empty'}
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return {unreadable: 'it is no JSON'}
  }
  const result = v.safeParse(journalSchema, value, {abortEarly: true})
  if (result.success) return {journal: result.output}
  const field = v.getDotPath(result.issues[0])
  return {unreadable: field === null ? 'it is no object' : `its '${field}' cannot be used`}
}

/** The folder lies in memory: to read it cannot hang. */
export function readJournalFile(path: string): JournalText {
  const file = readRegularFile(path, journalLimit)
  return 'unreadable' in file ? {unreadable: file.unreadable} : parseJournal(file.bytes)
}
