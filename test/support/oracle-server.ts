// http2-oracle, the peer, as a server in a process of its own.
import {once} from 'node:events'
import {execa} from 'execa'
import {builtPeers} from './built-peers.ts'

export interface OracleServer extends AsyncDisposable {
  /** Of its socket, or 'tcp:HOST:PORT'. */
  readonly address: string
  readonly pid: number
  kill(signal: NodeJS.Signals): void
  /** Resolves with its exit code. */
  readonly ended: Promise<number | undefined>
}

/** @param address a path, or 'tcp:127.0.0.1:0' for any port */
export async function startOracle(command: 'serve' | 'serve-grpc' | 'serve-test' | 'serve-page', address: string): Promise<OracleServer> {
  const [oracle = ''] = await builtPeers('http2-oracle')
  const child = execa(oracle, [command, address], {reject: false, stdin: 'ignore', buffer: false})
  const [said] = await once(child.stdout, 'data')
  const [, where = ''] = String(said).trim().split(' ')
  return {
    address: address.startsWith('tcp:') ? `tcp:${where}` : address,
    pid: child.pid ?? 0,
    kill: (signal) => void child.kill(signal),
    ended: child.then(({exitCode}) => exitCode),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await child
    },
  }
}
