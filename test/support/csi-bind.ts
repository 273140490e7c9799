// The driver of test/peers/csi-bind as a child process, with its sockets where a driver's pod would put them.
import {mkdir} from 'node:fs/promises'
import {join} from 'node:path'
import {execa} from 'execa'
import {builtPeers} from './built-peers.ts'
import {programsOf} from './driver-programs.ts'
import {until} from './until.ts'

export interface CsiBindOptions {
  readonly kubeletRoot: string
  /** Where it keeps the volumes. */
  readonly state: string
  readonly name?: string
  /** A filesystem volume is mounted on its staging path, too. */
  readonly stageMount?: boolean
}

export interface CsiBind extends AsyncDisposable {
  readonly name: string
  readonly pid: number
  /** Its own socket. */
  readonly socket: string
  /** The one in plugins_registry. */
  readonly registration: string
  readonly state: string
  /** Of its node service, by its own log: 'NodeStageVolume'. */
  calls(): readonly string[]
  /** SIGTERM removes both sockets, SIGKILL leaves them. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

export const csiBindName = 'bind.csi.kubelimbo.test'

/** @throws with what it wrote when it does not come up. */
export async function startCsiBind({kubeletRoot, state, name = csiBindName, stageMount = false}: CsiBindOptions): Promise<CsiBind> {
  const [binary = ''] = await builtPeers('csi-bind')
  const folder = join(kubeletRoot, 'plugins', name)
  const socket = join(folder, 'csi.sock')
  const registration = join(kubeletRoot, 'plugins_registry', `${name}-reg.sock`)
  for (const each of [folder, join(kubeletRoot, 'plugins_registry'), state]) await mkdir(each, {recursive: true})
  const programs = programsOf(process.env, {binary, name, socket, registration, state, stageMount})
  const children = programs.map(({command: [file, ...args]}) => execa(file, args, {stdin: 'ignore', stdout: 'ignore', reject: false}))
  const said = children.map(() => '')
  for (const [index, child] of children.entries())
    child.stderr.on('data', (chunk) => {
      said[index] += chunk
    })
  let ended = false
  const over = Promise.race(children).then(() => {
    ended = true
  })
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    children[0]?.kill('SIGCONT')
    for (const child of children) child.kill(signal)
    await Promise.all(children)
    await over
  }
  await until(async () => {
    if (!ended && programs.some(({ready}, index) => !said[index]?.includes(ready)))
      throw new Error(`The driver is not ready: ${said.join('')}`)
  }).catch(async (error) => {
    await end('SIGKILL')
    throw error
  })
  if (ended) throw new Error(`Cannot start the driver: ${said.join('')}`)
  const calls = () => [...(said[0] ?? '').matchAll(/GRPC call: \/csi\.v1\.Node\/(\w+)/g)].map(([, method = '']) => method)
  return {name, pid: children[0]?.pid ?? 0, socket, registration, state, calls, end, [Symbol.asyncDispose]: () => end('SIGTERM')}
}
