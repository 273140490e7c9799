// The place of a socket as a takeover has it, without its care: the new one is renamed over the old one, whose listener stays.

import {link, rename} from 'node:fs/promises'
import type {Server} from 'node:net'
import {dirname, join} from 'node:path'
import type {Place} from '../../src/proxy/listen/place.ts'
import {bindAt} from '../../src/proxy/listen/socket-file.ts'

/** Of what is at the path another name. */
export async function heldBeside(path: string): Promise<string> {
  const held = join(dirname(path), '.held')
  await link(path, held)
  return held
}

export const giveBack = (held: string, path: string): Promise<void> => rename(held, path)

export function overPlace(path: string): (serverFor: () => Server) => Promise<Place> {
  return async (serverFor) => {
    let server = serverFor()
    await bindAt(path, server, 0o600)
    return {
      address: {kind: 'unix', path},
      open: async () => {
        server = serverFor()
        await bindAt(path, server, 0o600)
      },
      close: async () => void server.close(),
      [Symbol.asyncDispose]: async () => void server.close(),
    }
  }
}
