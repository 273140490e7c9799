// The stream of what happens, for kubelets with EventedPLEG. Source: containerd's internal/cri/server/helpers.go, generateAndSendContainerEvent
import type {MessageInitShape} from '@bufbuild/protobuf'
import type {ServiceImpl} from '@connectrpc/connect'
import {onAbort} from '../../base/on-abort.ts'
import {type ContainerEventResponseSchema, ContainerEventType, type RuntimeService} from '../../wire/gen/cri_pb.ts'
import type {WorldChange} from '../runtime/runtime-world.ts'
import type {CriContext} from './context.ts'
import {nanoseconds} from './nanoseconds.ts'
import {containerStatus, sandboxStatus} from './statuses.ts'

type ContainerEvent = MessageInitShape<typeof ContainerEventResponseSchema>

const {CONTAINER_CREATED_EVENT, CONTAINER_STARTED_EVENT, CONTAINER_STOPPED_EVENT, CONTAINER_DELETED_EVENT} = ContainerEventType

export function containerEvents(service: CriContext): Pick<ServiceImpl<typeof RuntimeService>, 'getContainerEvents'> {
  return {
    getContainerEvents: async function* (_, {signal}) {
      const queue: ContainerEvent[] = []
      let wake = () => {}
      const stop = service.world.watch({
        onChange: (change) => {
          queue.push(...eventsOf(service, change))
          wake()
        },
      })
      const stay = onAbort(signal, () => wake())
      try {
        while (!signal.aborted) {
          const next = queue.shift()
          if (next === undefined) {
            await new Promise<void>((resolve) => {
              wake = resolve
            })
          } else yield next
        }
      } finally {
        stop()
        stay()
      }
    },
  }
}

function eventsOf({world, details, clock}: CriContext, {what, id, podSandboxId}: WorldChange): ContainerEvent[] {
  const sandbox = world.sandboxes.get(podSandboxId)
  const containers = sandbox === undefined ? [] : world.containers.listOf(sandbox.metadata.uid)
  const about = {
    containerId: id,
    createdAt: nanoseconds(clock.now()),
    ...(sandbox && {podSandboxStatus: sandboxStatus(sandbox, details)}),
    containersStatuses: containers
      .filter((each) => each.podSandboxId === podSandboxId)
      .map((each) => containerStatus(each, details, world.images)),
  }
  return typesOf(what, id === podSandboxId).map((containerEventType) => ({...about, containerEventType}))
}

function typesOf(what: WorldChange['what'], isSandbox: boolean): readonly ContainerEventType[] {
  switch (what) {
    case 'created':
      return [CONTAINER_CREATED_EVENT]
    case 'started':
      // A sandbox is made and started in one.
      return isSandbox ? [CONTAINER_CREATED_EVENT, CONTAINER_STARTED_EVENT] : [CONTAINER_STARTED_EVENT]
    case 'start-failed':
    case 'exited':
      return [CONTAINER_STOPPED_EVENT]
    case 'removed':
      return [CONTAINER_DELETED_EVENT]
    default:
      return what satisfies never
  }
}
