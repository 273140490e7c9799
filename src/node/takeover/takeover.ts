// A takeover of a socket as a look at the node finds it: in force, or left behind.
import type {AtPath} from './at-path.ts'
import type {TakeoverCommand} from './journal.ts'

export interface TakeoverJournal {
  /** Absolute. */
  readonly path: string
  /** The socket that was taken over; absent when the journal cannot be read. */
  readonly socket?: string
  /** Milliseconds since 1970, as the next. */
  readonly startedAt?: number
  readonly expiresAt?: number
  /** Of its proxy. */
  readonly pid?: number
  /** Which has it; absent: the journal is older. */
  readonly command?: TakeoverCommand
  /** Whether its proxy and its watchdog are there; absent: nobody can say, as /proc is not the node's or a bundle is older. */
  readonly holder?: TakeoverHolder
  /** What lies at the socket's path; absent: nobody may look, or a bundle is older. */
  readonly atPath?: AtPath
  readonly unreadable?: string
}

export interface TakeoverHolder {
  readonly proxy: ProcessState
  /** Absent: the journal names none. */
  readonly watchdog?: ProcessState
  /** The node has started anew since. */
  readonly otherBoot: boolean
}

/** 'gone': no process of that id, or one that began at another time. */
export type ProcessState = 'there' | 'gone'
