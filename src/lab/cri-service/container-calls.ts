// The calls about containers. Those that the model makes, too, go through the port.
import {join} from 'node:path'
import type {HandlerContext, ServiceImpl} from '@connectrpc/connect'
import {podLabels} from '../../node/cri-selection.ts'
import type {Container, ContainerFilter, RuntimeService} from '../../wire/gen/cri_pb.ts'
import type {ContainerConfig} from '../../wire/gen/cri-config_pb.ts'
import {type CriContext, containerId, sandboxId, through} from './context.ts'
import type {ContainerDetails} from './details.ts'
import {notFound, unknown} from './failures.ts'
import {isWanted, rowsOf} from './filters.ts'
import {listedContainer} from './listed-rows.ts'
import {inPieces} from './pieces.ts'
import {containerStatus} from './statuses.ts'

type ContainerCalls = Pick<
  ServiceImpl<typeof RuntimeService>,
  | 'createContainer'
  | 'startContainer'
  | 'stopContainer'
  | 'removeContainer'
  | 'listContainers'
  | 'streamContainers'
  | 'containerStatus'
  | 'updateContainerResources'
  | 'reopenContainerLog'
  | 'execSync'
>

export function containerCalls(service: CriContext): ContainerCalls {
  const {world, details, logs} = service
  const list = async (filter: ContainerFilter | undefined, context: HandlerContext): Promise<Container[]> => {
    const podUid = filter?.labelSelector[podLabels.uid]
    const rows = await through(service, context, 'ListContainers', podUid === undefined || podUid === '' ? {} : {podUid})
    const ids = {id: containerId(service, filter?.id ?? ''), podSandboxId: sandboxId(service, filter?.podSandboxId ?? '')}
    return rowsOf(rows)
      .map((row) => listedContainer(row, details))
      .filter((each) => isWanted(each, {...filter, ...ids}))
  }
  return {
    createContainer: async ({podSandboxId, config, sandboxConfig}, context) => {
      if (config?.metadata === undefined) throw unknown('container config must include metadata')
      validateUser(config)
      const {name, attempt} = config.metadata
      const metadata = {name, attempt}
      const image = config.image?.image ?? ''
      const kept: ContainerDetails = {config, imageId: world.images.get(image)?.id ?? image}
      const directory = sandboxConfig?.logDirectory ?? ''
      details.keepContainer(
        metadata,
        directory === '' || config.logPath === '' ? kept : {...kept, logPath: join(directory, config.logPath)},
      )
      const request = {podSandboxId: sandboxId(service, podSandboxId), config: {metadata, image, command: commandOf(config)}}
      return through(service, context, 'CreateContainer', request)
    },
    startContainer: async (request, context) => {
      await through(service, context, 'StartContainer', {containerId: containerId(service, request.containerId)})
      return {}
    },
    stopContainer: async (request, context) => {
      const call = {containerId: containerId(service, request.containerId), timeout: Number(request.timeout)}
      await through(service, context, 'StopContainer', call)
      return {}
    },
    removeContainer: async (request, context) => {
      await through(service, context, 'RemoveContainer', {containerId: containerId(service, request.containerId)})
      return {}
    },
    listContainers: async ({filter}, context) => ({containers: await list(filter, context)}),
    streamContainers: async function* ({filter}, context) {
      for (const containers of inPieces(await list(filter, context))) yield {containers}
    },
    containerStatus: async (request, context) => {
      const row = await through(service, context, 'ContainerStatus', {containerId: containerId(service, request.containerId)})
      if (!Object.hasOwn(row, 'metadata')) return {}
      // No pid: there is no process that anybody could look for.
      const info = {sandboxID: row.podSandboxId, runtimeType: 'kubelimbo.lab', command: details.ofContainer(row)?.config.command ?? []}
      return {status: containerStatus(row, details, world.images), info: request.verbose ? {info: JSON.stringify(info)} : {}}
    },
    updateContainerResources: (request) => {
      const row = world.containers.get(containerId(service, request.containerId))
      if (row === undefined) throw notFound('container', request.containerId)
      const given = details.ofContainer(row)
      if (given !== undefined && request.linux !== undefined) given.resources = request.linux
      return {}
    },
    reopenContainerLog: (request) => {
      const id = containerId(service, request.containerId)
      const row = world.containers.get(id)
      if (row === undefined) throw notFound('container', request.containerId)
      if (row.state !== 'RUNNING') throw unknown('container is not running')
      logs.reopen(id)
      return {}
    },
    execSync: async (request, context) => {
      const call = {containerId: containerId(service, request.containerId), cmd: request.cmd, timeout: Number(request.timeout)}
      const {exitCode, stdout = ''} = await through(service, context, 'ExecSync', call)
      return {exitCode, stdout: new TextEncoder().encode(stdout)}
    },
  }
}

/** The lab's image does nothing for ever whatever arguments it gets; a command of the client's takes them. */
const commandOf = ({command, args}: ContainerConfig): readonly string[] => (command.length === 0 ? [] : [...command, ...args])

/** Source: containerd's internal/cri/util, GenerateUserString */
function validateUser({linux}: ContainerConfig): void {
  const {runAsUser, runAsUsername = '', runAsGroup} = linux?.securityContext ?? {}
  if (runAsGroup === undefined || runAsUser !== undefined || runAsUsername !== '') return
  throw unknown(`failed to generate user string: user group "${runAsGroup.value}" is specified without user`)
}
