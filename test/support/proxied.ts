// The ways in which a proxy must not be noticed.
import {once} from 'node:events'
import {type AddressInfo, createServer} from 'node:net'
import {join} from 'node:path'
import {bytePipe} from './byte-pipe.ts'
import type {Listening} from './listening.ts'

export interface Way {
  readonly name: string
  /** A socket of its own in the folder. */
  readonly open: (upstream: string, folder: string) => Promise<Listening>
}

const pipe = async (upstream: string, folder: string) => bytePipe(await placeFor(upstream, folder), upstream)

let next = 0

/** A socket beside a unix socket, a port beside a port. */
async function placeFor(upstream: string, folder: string): Promise<string> {
  return upstream.startsWith('tcp:') ? `tcp:127.0.0.1:${await freePort()}` : join(folder, `p${next++}`)
}

async function freePort(): Promise<number> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const {port} = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

export const ways: readonly Way[] = [{name: 'no rule', open: pipe}]

/** With nothing between. */
export const directly = async (upstream: string): Promise<Listening> => ({path: upstream, [Symbol.asyncDispose]: async () => undefined})
