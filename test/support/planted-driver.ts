// A driver of the lab with mistakes that drivers have had, on its socket without root.
import {systemClock as clock} from '../../src/base/clock.ts'
import {seeded} from '../../src/base/dice.ts'
import {CallFailure} from '../../src/kubelet/port.ts'
import {serveDriver} from '../../src/lab/csi-service/serve-driver.ts'
import {rootlessDisk} from '../../src/lab/disk/rootless-disk.ts'
import {fakeDriver, type LabDriver} from '../../src/lab/drivers/fake-driver.ts'

export const mistakes = {
  /** A second stage of what is staged is refused for good. */
  'stage-twice': (driver: LabDriver): LabDriver => {
    const stage: LabDriver['node']['NodeStageVolume'] = async (request, caller) => {
      if (driver.volume(request.volumeId)?.stagedAt !== undefined) throw new CallFailure('ALREADY_EXISTS', 'the volume is staged')
      return driver.node.NodeStageVolume(request, caller)
    }
    return {...driver, node: {...driver.node, NodeStageVolume: stage}}
  },
  /** What is asked while it is at work is answered as if it were over. */
  'not-aborted': (driver: LabDriver): LabDriver => {
    const publish: LabDriver['node']['NodePublishVolume'] = async (request, caller) => {
      try {
        return await driver.node.NodePublishVolume(request, caller)
      } catch (error) {
        throw error instanceof CallFailure && error.code === 'ABORTED' ? new CallFailure('INTERNAL', 'an operation is pending') : error
      }
    }
    return {...driver, node: {...driver.node, NodePublishVolume: publish}}
  },
  /** What is not published cannot be unpublished. */
  'unpublish-needs-target': (driver: LabDriver): LabDriver => {
    const unpublish: LabDriver['node']['NodeUnpublishVolume'] = async (request, caller) => {
      const {publishedAt = []} = driver.volume(request.volumeId) ?? {}
      if (!publishedAt.includes(request.targetPath)) throw new CallFailure('NOT_FOUND', `${request.targetPath} is not there`)
      return driver.node.NodeUnpublishVolume(request, caller)
    }
    return {...driver, node: {...driver.node, NodeUnpublishVolume: unpublish}}
  },
} as const

/** Each call takes long enough for another to come meanwhile. */
const takes = {NodeStageVolume: 30, NodeUnstageVolume: 30, NodePublishVolume: 30, NodeUnpublishVolume: 30}

/** @param root where its sockets are, below plugins and plugins_registry */
export async function plantedDriver(root: string, planted: readonly (keyof typeof mistakes)[]) {
  const disk = rootlessDisk({root, now: clock.now})
  const whole = fakeDriver({name: 'planted.example.com', takes}, disk, clock, seeded(1))
  const driver = planted.reduce((each, name) => mistakes[name](each), whole)
  const handlers = driver.node as unknown as Readonly<Record<string, (request: object, caller: object) => Promise<never>>>
  const {signal} = new AbortController()
  const port = {
    call: async (method: string, request: object) => {
      const handler = handlers[method]
      if (handler === undefined) throw new CallFailure('UNIMPLEMENTED', method)
      return handler(request, {gone: false, signal, timeoutMs: Number.POSITIVE_INFINITY})
    },
  }
  const served = await serveDriver({driver, port, clock, root, nodeId: 'lab'})
  return {...served, volumes: driver.volumes, [Symbol.asyncDispose]: served[Symbol.asyncDispose]}
}
