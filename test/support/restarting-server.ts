// A gRPC server in a process of its own that goes and comes again, as containerd and CSI drivers do: http2-oracle, the peer.
import {once} from 'node:events'
import {execa} from 'execa'
import {systemClock} from '../../src/base/clock.ts'
import {builtPeers} from './built-peers.ts'

/** SIGTERM lets calls end, SIGINT cuts them off; both remove the socket's name. SIGKILL leaves it. */
export type EndOfServer = 'SIGTERM' | 'SIGINT' | 'SIGKILL'

/** Milliseconds since 1970: from the moment at which its end began until it listened again. */
export interface Away {
  readonly how: EndOfServer
  readonly from: number
  readonly until: number
}

export interface RestartingServer extends AsyncDisposable {
  readonly path: string
  readonly pid: number
  /** Of its socket. */
  readonly inode: Promise<string>
  readonly away: readonly Away[]
  restart(how: EndOfServer, awayMs?: number): Promise<void>
  end(how: EndOfServer): Promise<void>
}

export async function startRestartingServer(path: string): Promise<RestartingServer> {
  const [oracle = ''] = await builtPeers('http2-oracle')
  const away: Away[] = []
  const start = () => execa(oracle, ['serve-again', path], {reject: false, stdin: 'ignore', buffer: false, stderr: 'inherit'})
  let child: ReturnType<typeof start>
  let inode: Promise<string> | undefined
  const begin = async () => {
    child = start()
    inode = undefined
    const ended = child.then(({exitCode, signal}) => {
      throw new Error(`the server ended with ${exitCode ?? signal}`)
    })
    await Promise.race([once(child.stdout, 'data'), ended])
    ended.catch(() => undefined)
  }
  const end = async (how: EndOfServer) => {
    child.kill(how)
    await child
  }
  await begin()
  return {
    path,
    get pid() {
      return child.pid ?? 0
    },
    get inode() {
      inode ??= inodeOf(path)
      return inode
    },
    away,
    end,
    restart: async (how, awayMs = 0) => {
      const from = Math.floor(Date.now())
      await end(how)
      await systemClock.sleep(awayMs)
      await begin()
      away.push({how, from, until: Date.now() + 1})
    },
    [Symbol.asyncDispose]: () => end('SIGKILL'),
  }
}

/** As the kernel has it of the socket that was bound there: what lies at the path may be another one by then. */
async function inodeOf(path: string): Promise<string> {
  const {stdout} = await execa('ss', ['-xleH'])
  const line = stdout.split('\n').find((each) => each.split(/\s+/).includes(path))
  const [, inode] = /\bino:(\d+)/.exec(line ?? '') ?? []
  if (inode === undefined) throw new Error(`nobody listens at ${path}: ${stdout}`)
  return inode
}
