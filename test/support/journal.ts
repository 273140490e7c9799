// A journal as tests need one.
import {basename} from 'node:path'
import type {Journal} from '../../src/node/takeover/journal.ts'
import {journalId} from '../../src/proxy/takeover/journal-file.ts'

export function journalOf(socket: string, parts: Partial<Journal> = {}): Journal {
  const id = journalId(socket)
  const name = basename(socket)
  return {
    apiVersion: 'kubelimbo/v1',
    kind: 'Takeover',
    id,
    tool: 'kubelimbo 0.1.0',
    socket,
    side: `.${name}.${id}.side`,
    held: `.${name}.${id}.held`,
    original: {device: '66', inode: '12', born: '1764472264000000000'},
    ours: [],
    bootId: '0b3e7a54-6c7e-4ba2-9f1e-1a6a9b1d1c11',
    proxy: {pid: 4711, startTicks: '5000'},
    startedAt: '2026-11-30T03:01:04Z',
    expiresAt: '2026-11-30T03:11:04Z',
    ...parts,
  }
}
