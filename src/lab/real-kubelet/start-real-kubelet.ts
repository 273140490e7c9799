// A real kubelet as a child process, in a folder of its own. Its log is kept there, beside what it was started with.
import {readFile, writeFile} from 'node:fs/promises'
import {createServer} from 'node:net'
import {join} from 'node:path'
import {execa} from 'execa'
import type {Clock} from '../../base/clock.ts'
import {configFile, type KubeletPlaces, kubeconfigFile, kubeletSettings} from './kubelet-settings.ts'
import type {KubeletVersion} from './kubelet-version.ts'
import {inPrivateMounts} from './private-mounts.ts'

export interface RealKubeletOptions extends Omit<KubeletPlaces, 'ports'> {
  readonly binary: string
  readonly version: KubeletVersion
  readonly kubeconfig: string
  readonly clock: Clock
}

export interface RealKubelet extends AsyncDisposable {
  readonly logFile: string
  /** Resolves with the last lines of its log when it ends by itself; never otherwise. */
  readonly died: Promise<readonly string[]>
  /** SIGKILL: nothing of it goes on. */
  kill(): Promise<void>
  /** After a kill, with the same ports. */
  start(): Promise<void>
}

const graceMs = 5000
const linesTold = 8

export async function startRealKubelet({binary, version, kubeconfig, clock, ...places}: RealKubeletOptions): Promise<RealKubelet> {
  const {folder} = places
  const ports = {https: await freePort(), readOnly: await freePort()}
  const {config, flags} = kubeletSettings(version.minor, {...places, ports})
  await writeFile(configFile(folder), config)
  await writeFile(kubeconfigFile(folder), kubeconfig, {mode: 0o600})
  const logFile = join(folder, 'kubelet.log')
  const [program = '', ...args] = await inPrivateMounts(folder, [binary, ...flags])
  const died = Promise.withResolvers<readonly string[]>()
  let ending = false

  const start = () => {
    const log = {file: logFile, append: true} as const
    const child = execa(program, args, {stdin: 'ignore', stdout: log, stderr: log, buffer: false, reject: false, cwd: folder})
    const over = child.then(async ({exitCode, signal}) => {
      if (ending) return
      const lines = (await readFile(logFile, 'utf8')).trimEnd().split('\n')
      died.resolve([...lines.slice(-linesTold), `it ended with ${exitCode ?? signal}`])
    })
    return {child, over}
  }
  let running = start()
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    ending = true
    const {child, over} = running
    child.kill(signal)
    const gone = new AbortController()
    const late = clock.sleep(graceMs, gone.signal).then(
      () => child.kill('SIGKILL'),
      () => undefined,
    )
    await over
    gone.abort()
    await late
  }
  return {
    logFile,
    died: died.promise,
    kill: () => end('SIGKILL'),
    start: async () => {
      await running.over
      ending = false
      running = start()
    },
    [Symbol.asyncDispose]: () => end('SIGTERM'),
  }
}

/** Free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}
