// The calls about sandboxes. Those that the model makes, too, go through the port.
import type {ServiceImpl} from '@connectrpc/connect'
import {podLabels} from '../../node/cri-selection.ts'
import type {PodSandbox, PodSandboxFilter, RuntimeService} from '../../wire/gen/cri_pb.ts'
import {type CriContext, sandboxId, through} from './context.ts'
import {notFound, unknown} from './failures.ts'
import {isWanted, rowsOf} from './filters.ts'
import {listedSandbox} from './listed-rows.ts'
import {nanoseconds} from './nanoseconds.ts'
import {inPieces} from './pieces.ts'
import {containerStatus, sandboxStatus} from './statuses.ts'

type SandboxCalls = Pick<
  ServiceImpl<typeof RuntimeService>,
  | 'runPodSandbox'
  | 'stopPodSandbox'
  | 'removePodSandbox'
  | 'podSandboxStatus'
  | 'listPodSandbox'
  | 'streamPodSandboxes'
  | 'updatePodSandboxResources'
>

export function sandboxCalls(service: CriContext): SandboxCalls {
  const {world, details, clock} = service
  const list = async (
    filter: PodSandboxFilter | undefined,
    context: Parameters<SandboxCalls['listPodSandbox']>[1],
  ): Promise<PodSandbox[]> => {
    const podUid = filter?.labelSelector[podLabels.uid]
    const rows = await through(service, context, 'ListPodSandbox', podUid === undefined || podUid === '' ? {} : {podUid})
    const wanted = {...filter, id: sandboxId(service, filter?.id ?? '')}
    return rowsOf(rows)
      .map((row) => listedSandbox(row, details))
      .filter((each) => isWanted(each, wanted))
  }
  return {
    runPodSandbox: async ({config, runtimeHandler}, context) => {
      if (config?.metadata === undefined) throw unknown('sandbox config must include metadata')
      const {namespace, name, uid, attempt} = config.metadata
      const metadata = {namespace, name, uid, attempt}
      details.keepSandbox(metadata, {config, runtimeHandler})
      return through(service, context, 'RunPodSandbox', {config: metadata})
    },
    stopPodSandbox: async ({podSandboxId}, context) => {
      await through(service, context, 'StopPodSandbox', {podSandboxId: sandboxId(service, podSandboxId)})
      return {}
    },
    removePodSandbox: async ({podSandboxId}, context) => {
      await through(service, context, 'RemovePodSandbox', {podSandboxId: sandboxId(service, podSandboxId)})
      return {}
    },
    podSandboxStatus: async ({podSandboxId, verbose}, context) => {
      const row = await through(service, context, 'PodSandboxStatus', {podSandboxId: sandboxId(service, podSandboxId)})
      if (!Object.hasOwn(row, 'metadata')) return {}
      const ofIt = world.containers.listOf(row.metadata.uid).filter((each) => each.podSandboxId === row.id)
      const given = details.ofSandbox(row)
      return {
        status: sandboxStatus(row, details),
        containersStatuses: ofIt.map((each) => containerStatus(each, details, world.images)),
        timestamp: nanoseconds(clock.now()),
        info: verbose
          ? {
              info: JSON.stringify({
                runtimeType: 'kubelimbo.lab',
                hostname: given?.config.hostname ?? '',
                logDirectory: given?.config.logDirectory ?? '',
              }),
            }
          : {},
      }
    },
    listPodSandbox: async ({filter}, context) => ({items: await list(filter, context)}),
    streamPodSandboxes: async function* ({filter}, context) {
      for (const podSandboxes of inPieces(await list(filter, context))) yield {podSandboxes}
    },
    updatePodSandboxResources: ({podSandboxId, overhead, resources}) => {
      const row = world.sandboxes.get(sandboxId(service, podSandboxId))
      if (row === undefined) throw notFound('sandbox', podSandboxId)
      const given = details.ofSandbox(row)
      if (given !== undefined && overhead !== undefined) given.overhead = overhead
      if (given !== undefined && resources !== undefined) given.resources = resources
      return {}
    },
  }
}
