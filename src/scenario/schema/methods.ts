// The calls that there are, by their service, with what can be asked of each: of one that does not exist, `never` would hold for ever. What the lab tells of
// them is in src/lab/describe-*.ts.
import type {Service} from '../../timeline/event.ts'

export interface Method {
  /** It is known whose pod it is about. */
  readonly pod: boolean
  readonly container: boolean
  /** Fields of its request that a rule or a matcher can ask for. */
  readonly request: Readonly<Record<string, 'text' | 'number'>>
}

const ofPod = (request: Method['request'] = {}): Method => ({pod: true, container: false, request})
const ofContainer = (request: Method['request']): Method => ({pod: true, container: true, request})
const ofNode = (request: Method['request']): Method => ({pod: false, container: false, request})

const staged = {driver: 'text', volume: 'text', stagingTargetPath: 'text'} as const

const table: Readonly<Record<Service, readonly (readonly [name: string, method: Method])[]>> = {
  api: [
    ['GET pod', ofPod()],
    ['PATCH pod/status', ofPod({uid: 'text', phase: 'text'})],
    ['DELETE pod', ofPod({uid: 'text', gracePeriodSeconds: 'number'})],
    ['GET persistentvolumeclaim', ofNode({claim: 'text'})],
  ],
  cri: [
    ['RunPodSandbox', ofPod({attempt: 'number'})],
    ['StopPodSandbox', ofPod({id: 'text'})],
    ['RemovePodSandbox', ofPod({id: 'text'})],
    ['PodSandboxStatus', ofPod({id: 'text'})],
    ['ListPodSandbox', ofNode({podUid: 'text'})],
    ['CreateContainer', ofContainer({attempt: 'number', image: 'text'})],
    ['StartContainer', ofContainer({id: 'text'})],
    ['StopContainer', ofContainer({id: 'text', timeout: 'number'})],
    ['RemoveContainer', ofContainer({id: 'text'})],
    ['ListContainers', ofNode({podUid: 'text'})],
    ['ContainerStatus', ofContainer({id: 'text'})],
    ['ExecSync', ofContainer({id: 'text', timeout: 'number'})],
    ['ImageStatus', ofNode({image: 'text'})],
    ['PullImage', ofNode({image: 'text'})],
  ],
  csi: [
    ['NodeStageVolume', ofNode(staged)],
    ['NodeUnstageVolume', ofNode(staged)],
    ['NodePublishVolume', ofPod({...staged, targetPath: 'text'})],
    ['NodeUnpublishVolume', ofPod({driver: 'text', volume: 'text', targetPath: 'text'})],
    ['NodeGetCapabilities', ofNode({driver: 'text'})],
  ],
}

/** By their names; of one service, or of all. */
export function methodsOf(to?: Service): ReadonlyMap<string, Method> {
  return to === undefined ? all : (byService.get(to) ?? all)
}

const byService = new Map(Object.entries(table).map(([to, methods]) => [to, new Map(methods)]))
const all = new Map(Object.values(table).flat())
