// What containers write, in the files that their clients name, as the kubelet reads them.
// Source of the format: k8s.io/cri-api, design proposal kubelet-cri-logging.
import type {Clock} from '../../base/clock.ts'
import type {RuntimeWorld} from '../runtime/runtime-world.ts'
import type {Details} from './details.ts'
import type {LogFile, LogFiles} from './log-files.ts'

export interface ContainerLogs extends Disposable {
  /** After somebody has moved the file away. Throws when there is none to write to. */
  reopen(id: string): void
}

interface OpenLog {
  readonly path: string
  file: LogFile
  /** What has no end of line yet. */
  rest: string
}

export function containerLogs(world: RuntimeWorld, details: Details, clock: Clock, files: LogFiles): ContainerLogs {
  const logs = new Map<string, OpenLog>()
  const open = (id: string) => {
    const row = world.containers.get(id)
    const path = row && details.ofContainer(row)?.logPath
    const file = path === undefined ? undefined : files.append(path)
    if (path !== undefined && file !== undefined) logs.set(id, {path, file, rest: ''})
  }
  const line = (text: string, tag: 'F' | 'P') => `${timestamp(clock.now())} stdout ${tag} ${text}\n`
  const write = (id: string, text: string) => {
    const log = logs.get(id)
    if (log === undefined) return
    const lines = (log.rest + text).split('\n')
    log.rest = lines.pop() ?? ''
    log.file.write(lines.map((each) => line(each, 'F')).join(''))
  }
  const close = (id: string) => {
    const log = logs.get(id)
    if (log === undefined) return
    if (log.rest !== '') log.file.write(line(log.rest, 'P'))
    log.file.close()
    logs.delete(id)
  }
  const stop = world.watch({
    onOutput: write,
    onChange: ({what, id, podSandboxId}) => {
      if (id === podSandboxId) return
      if (what === 'started') open(id)
      else if (what === 'exited' || what === 'removed') close(id)
    },
  })
  return {
    reopen: (id) => {
      const log = logs.get(id)
      if (log === undefined) return
      const file = files.append(log.path)
      if (file === undefined) throw new Error(`failed to create and open log file: cannot write ${log.path}`)
      log.file.close()
      log.file = file
    },
    [Symbol.dispose]: () => {
      stop()
      for (const id of logs.keys()) close(id)
    },
  }
}

/** RFC 3339 with nine digits behind the point. */
const timestamp = (ms: number): string => new Date(ms).toISOString().replace(/(\.\d{3})Z$/, '$1000000Z')
