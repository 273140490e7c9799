// All that stands between the client and the server, each in a process of its own.

import {once} from 'node:events'
import {existsSync} from 'node:fs'
import {writeFile} from 'node:fs/promises'
import type {AddressInfo} from 'node:net'
import {createServer} from 'node:net'
import {join} from 'node:path'
import {builtPeers} from '../../support/built-peers.ts'
import {type ListeningChild, listeningChild} from '../../support/listening-child.ts'
import {until} from '../../support/until.ts'

export interface Contestant {
  readonly name: string
  readonly address: string
  /** Absent: nothing stands between. */
  readonly process?: ListeningChild
  /** The one that it is compared with: on unix sockets, or on TCP. */
  readonly direct: string
}

export interface Servers {
  readonly unix: string
  readonly tcp: string
  readonly folder: string
}

const here = (name: string) => join(import.meta.dirname, name)

export async function startContestants({unix, tcp, folder}: Servers): Promise<readonly Contestant[]> {
  const [grpcProxy = '', toxiproxy = ''] = await builtPeers('grpc-proxy', 'toxiproxy')
  const child = async (name: string, file: string, args: (path: string) => readonly string[]): Promise<Contestant> => {
    const address = join(folder, name.replaceAll(/\W/g, ''))
    return {name, address, process: await listeningChild(file, args(address)), direct: 'direct'}
  }
  const node = (name: string, main: string, ...more: readonly string[]) =>
    child(name, process.execPath, (path) => [main, path, unix, ...more])
  return [
    {name: 'direct', address: unix, direct: 'direct'},
    await node('byte pipe (node)', here('byte-pipe-main.ts')),
    await child('socat', 'sh', (path) => ['-c', `echo; exec socat UNIX-LISTEN:${path},fork UNIX-CONNECT:${unix}`]),
    await node('node:http2 proxy', here('node-http2-main.ts')),
    await child('grpc-proxy (Go)', grpcProxy, (path) => [path, unix]),
    await node('kubelimbo, no rule', join(import.meta.dirname, '../../support/proxy-main.ts')),
    await node('kubelimbo, each call taken', join(import.meta.dirname, '../../support/proxy-main.ts'), JSON.stringify(takesAll)),
    {name: 'direct, TCP', address: tcp, direct: 'direct, TCP'},
    await toxic(toxiproxy, tcp, folder),
  ]
}

const takesAll = {
  name: 'all',
  match: {},
  fault: {kind: 'delay', plan: {before: 0, forward: 1, upstreamDeadline: 'keep', reply: {kind: 'pass'}}},
}

/** It knows TCP only. */
async function toxic(file: string, tcp: string, folder: string): Promise<Contestant> {
  const [api, port] = [await freePort(), await freePort()]
  const config = join(folder, 'toxiproxy.json')
  const proxies = [{name: 'bench', listen: `127.0.0.1:${port}`, upstream: tcp.slice('tcp:'.length), enabled: true}]
  await writeFile(config, JSON.stringify(proxies))
  const process = await listeningChild(file, ['-config', config, '-port', `${api}`])
  return {name: 'toxiproxy, TCP', address: `tcp:127.0.0.1:${port}`, process, direct: 'direct, TCP'}
}

async function freePort(): Promise<number> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const {port} = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Those that say nothing of it. */
export const allListen = (contestants: readonly Contestant[]) =>
  until(async () => {
    const late = contestants.find(({address}) => !address.startsWith('tcp:') && !existsSync(address))
    if (late !== undefined) throw new Error(`${late.name} does not listen`)
  }, 50)
