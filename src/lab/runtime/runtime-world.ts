// What a container runtime has: sandboxes, containers and their processes, and how each comes and goes. Every change is in the timeline.
import type {Clock} from '../../base/clock.ts'
import type {CriContainerStatus, CriSandbox, SandboxMetadata} from '../../kubelet/cri.ts'
import type {ContainerEvent} from '../../timeline/event.ts'
import type {Timeline} from '../../timeline/timeline.ts'
import {type Table, table} from '../table.ts'
import {programOf} from './container-program.ts'
import {type Images, images} from './images.ts'
import {type Process, startProcess} from './process.ts'

/** Of a container, or of a sandbox, which has its own id as that of its sandbox. Of what was removed there is no row any more. */
export interface WorldChange {
  readonly what: ContainerEvent['what']
  readonly id: string
  readonly podSandboxId: string
}

export interface WorldWatcher {
  onChange?(change: WorldChange): void
  /** What a container writes to its standard output. */
  onOutput?(id: string, text: string): void
  /** A program in a container wants to know what 'hostname', 'cat FILE' or 'ls -A FOLDER' tells. Undefined: not known here. */
  onQuestion?(id: string, words: readonly string[]): string | undefined
}

export interface RuntimeWorld {
  readonly sandboxes: Table<CriSandbox>
  readonly containers: Table<CriContainerStatus>
  readonly images: Images
  /** Tells of what happens from now on. @returns what ends it */
  watch(watcher: WorldWatcher): () => void
  /** For a program in that container. */
  answer(id: string, words: readonly string[]): string | undefined
  /** Another process in it, while it runs. */
  addExec(id: string, process: Process): void
  addSandbox(id: string, metadata: SandboxMetadata): void
  stopSandbox(id: string): void
  removeSandbox(id: string): void
  addContainer(container: CriContainerStatus, command: readonly string[]): void
  /** @returns why it could not start */
  startContainer(id: string, shellStartsIn: number): string | undefined
  failStart(id: string, message: string): void
  term(id: string): void
  kill(id: string, exitCode?: number): void
  /** The runtime no longer knows of its process. */
  lose(id: string): void
  /** What is UNKNOWN has ended with 255, as soon as somebody wants it to. */
  endLost(id: string): void
  /** Undefined when it does not run. */
  ended(id: string): Promise<unknown> | undefined
  removeContainer(id: string): void
}

export function runtimeWorld(clock: Clock, timeline: Timeline): RuntimeWorld {
  const sandboxes = table<CriSandbox>(({metadata}) => metadata.uid)
  const containers = table<CriContainerStatus>(({pod}) => pod.uid)
  const commands = new Map<string, readonly string[]>()
  const processes = new Map<string, {readonly process: Process; readonly exited: Promise<void>}>()
  const asked = new Set<string>()
  const watchers = new Set<WorldWatcher>()
  const execs = new Map<string, Set<Process>>()

  const pgrep = (id: string, name: string | undefined) => {
    const main = processes.get(id)?.process
    const all = [...(main === undefined ? [] : [main]), ...(execs.get(id) ?? [])]
    // Nothing but its place can be told of a process: it stands for the pid.
    return all.map((each, index) => (each.doing() === name ? `${index + 1}\n` : '')).join('')
  }

  const changed = (what: ContainerEvent['what'], id: string, podSandboxId: string) => {
    for (const watcher of watchers) watcher.onChange?.({what, id, podSandboxId})
  }
  const tellSandbox = ({id, metadata: {namespace, name, uid}}: CriSandbox, what: ContainerEvent['what']) => {
    timeline.container({what, pod: `${namespace}/${name}`, uid, id})
    changed(what, id, id)
  }
  const tell = (row: CriContainerStatus, what: ContainerEvent['what'], how?: {exitCode: number; reason: string}) => {
    const {id, pod, metadata} = row
    timeline.container({what, pod: `${pod.namespace}/${pod.name}`, uid: pod.uid, container: metadata.name, id, ...how})
    changed(what, id, row.podSandboxId)
  }

  const change = (id: string, changes: Partial<CriContainerStatus>): CriContainerStatus | undefined => {
    const row = containers.get(id)
    if (row === undefined) return undefined
    const next = {...row, ...changes}
    containers.set(id, next)
    return next
  }
  const exit = (id: string, exitCode: number) => {
    // What was lost, or ended already, does not end again.
    if (processes.delete(id)) end(id, exitCode)
  }
  const end = (id: string, exitCode: number) => {
    asked.delete(id)
    const reason = exitCode === 0 ? 'Completed' : 'Error'
    const row = change(id, {state: 'EXITED', finishedAt: clock.now(), exitCode, reason})
    if (row !== undefined) tell(row, 'exited', {exitCode, reason})
  }
  const world: RuntimeWorld = {
    sandboxes,
    containers,
    images: images(),
    watch: (watcher) => {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    answer: (id, words) => {
      if (words[0] === 'pgrep') return pgrep(id, words[1])
      for (const watcher of watchers) {
        const answer = watcher.onQuestion?.(id, words)
        if (answer !== undefined) return answer
      }
      return undefined
    },
    addExec: (id, process) => {
      const all = execs.get(id) ?? new Set()
      execs.set(id, all.add(process))
      void process.ended.then(() => {
        all.delete(process)
        if (all.size === 0) execs.delete(id)
      })
    },
    addSandbox: (id, metadata) => {
      const sandbox: CriSandbox = {id, metadata, state: 'READY', createdAt: clock.now()}
      sandboxes.set(id, sandbox)
      tellSandbox(sandbox, 'started')
    },
    stopSandbox: (id) => {
      const sandbox = sandboxes.get(id)
      if (sandbox?.state !== 'READY') return
      sandboxes.set(id, {...sandbox, state: 'NOTREADY'})
      tellSandbox(sandbox, 'exited')
    },
    removeSandbox: (id) => {
      const sandbox = sandboxes.get(id)
      if (sandbox === undefined) return
      sandboxes.delete(id)
      tellSandbox(sandbox, 'removed')
    },
    addContainer: (container, command) => {
      containers.set(container.id, container)
      commands.set(container.id, command)
      tell(container, 'created')
    },
    startContainer: (id, shellStartsIn) => {
      const program = programOf(commands.get(id) ?? [])
      if (program.kind === 'missing') {
        const message = `failed to create containerd task: exec: "${program.binary}": executable file not found in $PATH`
        world.failStart(id, message)
        return message
      }
      const process = startProcess(program.statements, clock, program.atOnce ? 0 : shellStartsIn, {
        say: (text) => {
          for (const watcher of watchers) watcher.onOutput?.(id, text)
        },
        answer: (words) => world.answer(id, words),
      })
      processes.set(id, {process, exited: process.ended.then((exitCode) => exit(id, exitCode))})
      const row = change(id, {state: 'RUNNING', startedAt: clock.now()})
      if (row !== undefined) tell(row, 'started')
      return undefined
    },
    // As containerd has it: 128, and it started in 1970.
    failStart: (id, message) => {
      const row = change(id, {state: 'EXITED', finishedAt: clock.now(), exitCode: 128, reason: 'StartError', message})
      if (row !== undefined) tell(row, 'start-failed', {exitCode: 128, reason: 'StartError'})
    },
    // containerd asks a container once, however often it is told to stop it.
    term: (id) => {
      if (asked.has(id)) return
      asked.add(id)
      processes.get(id)?.process.term()
    },
    kill: (id, exitCode) => processes.get(id)?.process.kill(exitCode),
    lose: (id) => {
      if (processes.delete(id)) change(id, {state: 'UNKNOWN'})
    },
    endLost: (id) => {
      if (containers.get(id)?.state !== 'UNKNOWN') return
      end(id, 255)
    },
    ended: (id) => processes.get(id)?.exited,
    removeContainer: (id) => {
      const container = containers.get(id)
      if (container === undefined) return
      containers.delete(id)
      commands.delete(id)
      tell(container, 'removed')
    },
  }
  return world
}
