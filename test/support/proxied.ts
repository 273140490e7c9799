// The ways in which a proxy must not be noticed.
import {join} from 'node:path'
import {bytePipe} from './byte-pipe.ts'
import type {Listening} from './listening.ts'

export interface Way {
  readonly name: string
  /** A socket of its own in the folder. */
  readonly open: (upstream: string, folder: string) => Promise<Listening>
}

const pipe = (upstream: string, folder: string) => bytePipe(join(folder, `p${next++}`), upstream)
let next = 0

export const ways: readonly Way[] = [{name: 'no rule', open: pipe}]

/** With nothing between. */
export const directly = async (upstream: string): Promise<Listening> => ({path: upstream, [Symbol.asyncDispose]: async () => undefined})
