// What became of a journal that restore found, as data: the words are render's.
import type {TakeoverHolder} from '../../../node/takeover/takeover.ts'

export interface RestoreReport {
  readonly apiVersion: 'kubelimbo/v1'
  readonly kind: 'Restore'
  readonly metadata: {readonly node: string; readonly when: string; readonly tool: string}
  readonly journals: string
  readonly dryRun: boolean
  /** Of this one alone. */
  readonly socket?: string
  /** Where else journals are, or may be. */
  readonly elsewhere?: string
  readonly items: readonly Restored[]
}

export type Restored =
  | (OfSocket & {readonly outcome: 'given back' | 'was back' | 'server gone'})
  | (OfSocket & {readonly outcome: 'left alone'; readonly alive: boolean})
  /** With --dry-run. */
  | (OfSocket & {readonly outcome: 'to be given back'})
  /** Something is still to be done: the journal stays. */
  | (Partial<OfSocket> & {readonly journal: string; readonly outcome: 'failed'; readonly why: string; readonly byHand: string})

interface OfSocket {
  /** Its path. */
  readonly journal: string
  readonly socket: string
  /** Who had it when it was looked at. Undefined when /proc does not say. */
  readonly holder?: TakeoverHolder & {readonly pid: number}
}
