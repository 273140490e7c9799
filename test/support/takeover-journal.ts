// A journal, as a takeover writes it.
import type {Journal} from '../../src/node/takeover/journal.ts'

export const takeoverJournal = (more: Partial<Journal> = {}): Journal => ({
  apiVersion: 'kubelimbo/v1',
  kind: 'Takeover',
  id: '0a1b2c3d',
  tool: 'kubelimbo 0.1.0',
  socket: '/csi/csi.sock',
  side: '.kubelimbo-0a1b2c3d',
  held: '.kubelimbo-0a1b2c3d.held',
  original: {device: '1', inode: '2', born: '3'},
  ours: [],
  bootId: 'a66dd926-9669-4ce3-a785-10a5f191b834',
  proxy: {pid: 7, startTicks: '70'},
  startedAt: '2026-11-30T03:00:00Z',
  expiresAt: '2026-11-30T03:10:00Z',
  ...more,
})
