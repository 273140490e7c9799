// A container runtime in memory that answers as containerd does. It heeds that a caller is gone: a StopContainer whose caller gave up sends no SIGKILL any
// more, and what was only under way is left undone. Source: containerd's internal/cri/server.
import type {Clock} from '../../base/clock.ts'
import type {Dice} from '../../base/dice.ts'
import {UserError} from '../../base/errors.ts'
import type {CriContainerStatus, CriMethods, CriSandbox, SandboxMetadata} from '../../kubelet/cri.ts'
import {CallFailure} from '../../kubelet/port.ts'
import type {Caller, Server} from '../port/server.ts'
import {type Program, programOf} from './container-program.ts'
import {endsWithin} from './ends-within.ts'
import {sigkilled, startProcess} from './process.ts'
import {reservedNames} from './reserved-names.ts'
import type {RuntimeWorld} from './runtime-world.ts'

export function fakeRuntime(world: RuntimeWorld, clock: Clock, dice: Dice): Server<CriMethods> {
  const {sandboxes, containers, images: store} = world
  const names = reservedNames()
  const busy = new Map<string, string>()

  // What is done to one thing takes as long whatever else goes on: runs that differ in one pod are alike in all others.
  const between = (what: string, least: number, most: number) => least + dice.of(what).roll(most - least + 1)
  const takes = async (what: string, least: number, most: number, caller: Caller) => {
    await clock.sleep(between(what, least, most))
    if (caller.gone) throw new CallFailure('CANCELLED', 'context canceled')
  }
  const looks = (least: number, most: number) => clock.sleep(least + dice.roll(most - least + 1))
  const reserving = async (name: string, work: (id: string) => Promise<void>): Promise<string> => {
    const id = names.reserve(name)
    try {
      await work(id)
      return id
    } catch (error) {
      names.release(id)
      throw error
    }
  }
  /** One at a time may start or remove a container. */
  const alone = async (id: string, state: string, work: () => Promise<void>) => {
    const other = busy.get(id)
    if (other !== undefined) throw new CallFailure('UNKNOWN', `container "${id}" is already in ${other} state`)
    busy.set(id, state)
    try {
      await work()
    } finally {
      busy.delete(id)
    }
  }
  const sandboxOf = (id: string): CriSandbox => sandboxes.get(id) ?? missing('sandbox', id)
  const containerOf = (id: string): CriContainerStatus => containers.get(id) ?? missing('container', id)
  const startFailure = (podSandboxId: string, caller: Caller): string | undefined => {
    if (caller.gone) return 'context canceled'
    return sandboxes.get(podSandboxId)?.state === 'READY' ? undefined : `sandbox container "${podSandboxId}" is not running`
  }
  const stop = async (id: string, timeout: number, caller: Caller) => {
    const ended = world.ended(id)
    if (ended === undefined) return world.endLost(id)
    if (timeout > 0) {
      world.term(id)
      if (await endsWithin(ended, timeout * 1000, clock, caller)) return
    }
    world.kill(id)
    await ended
  }
  const remove = (id: string, caller: Caller) =>
    alone(id, 'removing', async () => {
      await stop(id, 0, caller)
      await takes(`remove ${id}`, 10, 40, caller)
      world.removeContainer(id)
      names.release(id)
    })
  const stopSandbox = async ({id, metadata: {uid}}: CriSandbox, caller: Caller) => {
    for (const container of containers.listOf(uid)) if (container.podSandboxId === id) await stop(container.id, 0, caller)
    if (sandboxes.get(id)?.state === 'READY') await takes(`stop ${id}`, 20, 100, caller)
    world.stopSandbox(id)
    // Its network is taken down each time, whether it is still there or not.
    await takes(`network of ${id}`, 60, 300, caller)
  }

  return {
    RunPodSandbox: async ({config}, caller) => {
      const id = await reserving(sandboxName(config), (its) => takes(`run ${its}`, 150, 400, caller))
      world.addSandbox(id, config)
      return {podSandboxId: id}
    },
    StopPodSandbox: async ({podSandboxId}, caller) => {
      const sandbox = sandboxes.get(podSandboxId)
      if (sandbox !== undefined) await stopSandbox(sandbox, caller)
      return {}
    },
    RemovePodSandbox: async ({podSandboxId}, caller) => {
      const sandbox = sandboxes.get(podSandboxId)
      if (sandbox === undefined) return {}
      await stopSandbox(sandbox, caller)
      for (const {id, podSandboxId: its} of containers.listOf(sandbox.metadata.uid)) if (its === podSandboxId) await remove(id, caller)
      world.removeSandbox(podSandboxId)
      names.release(podSandboxId)
      return {}
    },
    PodSandboxStatus: async ({podSandboxId}) => {
      await looks(1, 2)
      return sandboxOf(podSandboxId)
    },
    ListPodSandbox: async ({podUid}) => {
      await looks(1, 3)
      return podUid === undefined ? sandboxes.list() : sandboxes.listOf(podUid)
    },
    CreateContainer: async ({podSandboxId, config}, caller) => {
      const sandbox = sandboxOf(podSandboxId)
      if (sandbox.state !== 'READY')
        throw new CallFailure('UNKNOWN', `failed to get sandbox container task: sandbox "${podSandboxId}" does not run`)
      if (!store.present(config.image)) throw new CallFailure('NOT_FOUND', `failed to resolve image "${config.image}": not found`)
      understood(config.command)
      const {name, attempt} = config.metadata
      const id = await reserving(`${name}_${sandboxName(sandbox.metadata)}_${attempt}`, (its) => takes(`create ${its}`, 20, 80, caller))
      world.addContainer(created(id, sandbox, config, clock.now()), config.command)
      return {containerId: id}
    },
    StartContainer: async ({containerId}, caller) => {
      const {state, podSandboxId} = containerOf(containerId)
      if (state !== 'CREATED') throw new CallFailure('UNKNOWN', `container "${containerId}" is in ${state} state`)
      await alone(containerId, 'starting', async () => {
        await clock.sleep(between(`start ${containerId}`, 60, 200))
        const failure = startFailure(podSandboxId, caller)
        if (failure !== undefined) world.failStart(containerId, failure)
        const failed = failure ?? world.startContainer(containerId, between(`shell of ${containerId}`, 1, 5))
        if (failed !== undefined) throw new CallFailure('UNKNOWN', failed)
      })
      return {}
    },
    StopContainer: async ({containerId, timeout}, caller) => {
      await takes(`stop ${containerId}`, 1, 5, caller)
      await stop(containerId, timeout, caller)
      return {}
    },
    RemoveContainer: async ({containerId}, caller) => {
      if (containers.get(containerId) !== undefined) await remove(containerId, caller)
      return {}
    },
    ListContainers: async ({podUid}) => {
      await looks(1, 3)
      return podUid === undefined ? containers.list() : containers.listOf(podUid)
    },
    ContainerStatus: async ({containerId}) => {
      await looks(1, 2)
      return containerOf(containerId)
    },
    ExecSync: async ({containerId, cmd, timeout}, caller) => {
      await takes(`exec ${containerId}`, 20, 60, caller)
      const {state} = containerOf(containerId)
      const containerEnds = world.ended(containerId)
      if (containerEnds === undefined) throw new CallFailure('UNKNOWN', `container is in ${state} state`)
      const program = understood(cmd)
      if (program.kind === 'missing')
        throw new CallFailure('UNKNOWN', `failed to exec in container: "${program.binary}": executable file not found in $PATH`)
      let stdout = ''
      const process = startProcess(program.statements, clock, between(`exec shell ${containerId}`, 1, 5), {
        say: (text) => {
          stdout += text
        },
        answer: (words) => world.answer(containerId, words),
      })
      world.addExec(containerId, process)
      const ends = Promise.race([process.ended, containerEnds.then(() => sigkilled)])
      try {
        const inTime = await endsWithin(ends, timeout === 0 ? Number.POSITIVE_INFINITY : timeout * 1000, clock, caller)
        if (!inTime) throw new CallFailure('DEADLINE_EXCEEDED', `timeout ${timeout}s exceeded`)
        return {exitCode: await ends, ...(stdout !== '' && {stdout})}
      } finally {
        process.kill()
      }
    },
    ImageStatus: async ({image}) => {
      await looks(1, 3)
      return {present: store.present(image)}
    },
    PullImage: async ({image}, caller) => {
      await takes(`pull ${image}`, 500, 2000, caller)
      store.pulled(image)
      return {imageRef: image}
    },
  }
}

const sandboxName = ({name, namespace, uid, attempt}: SandboxMetadata): string => `${name}_${namespace}_${uid}_${attempt}`

function created(
  id: string,
  {id: podSandboxId, metadata: {namespace, name, uid}}: CriSandbox,
  {metadata, image}: CriMethods['CreateContainer']['request']['config'],
  createdAt: number,
): CriContainerStatus {
  const pod = {namespace, name, uid}
  return {
    id,
    podSandboxId,
    pod,
    metadata,
    image,
    state: 'CREATED',
    createdAt,
    startedAt: 0,
    finishedAt: 0,
    exitCode: 0,
    reason: '',
    message: '',
  }
}

/** Whoever writes a manifest of the lab is told before; a client on a socket may want anything. */
function understood(command: readonly string[]): Program {
  try {
    return programOf(command)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    throw new CallFailure('INVALID_ARGUMENT', `${error.message}. ${error.hint}`)
  }
}

function missing(what: string, id: string): never {
  throw new CallFailure('NOT_FOUND', `an error occurred when try to find ${what} "${id}": not found`)
}
