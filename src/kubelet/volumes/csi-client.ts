// The CSI driver as the kubelet calls it. Upstream: volume/csi/csi_client.go
import type {Clock} from '../../base/clock.ts'
import type {CsiMethods, NodeCapability} from '../csi.ts'
import {CallFailure, type Port} from '../port.ts'
import type {Profile} from '../profiles.ts'
import {errorClass, goCode} from './error-class.ts'
import {TransientOperationFailure, uncertainProgress} from './progress-error.ts'

/** One deadline for all calls of an operation: what the first ones take, the last one lacks. */
export interface CsiContext {
  readonly endsAt: number
}

export interface CsiClient {
  supports(context: CsiContext, capability: NodeCapability): Promise<boolean>
  /** Of staging and publishing: whether the driver sets the group of the files itself. Here it never does, but it may fail to say so. */
  askForMountGroup(context: CsiContext): Promise<void>
  stage(context: CsiContext, request: CsiMethods['NodeStageVolume']['request']): Promise<void>
  unstage(context: CsiContext, request: CsiMethods['NodeUnstageVolume']['request']): Promise<void>
  publish(context: CsiContext, request: CsiMethods['NodePublishVolume']['request']): Promise<void>
  unpublish(context: CsiContext, request: CsiMethods['NodeUnpublishVolume']['request']): Promise<void>
}

export interface CsiClients {
  context(): CsiContext
  /** @throws when no driver of that name is registered */
  get(driver: string): CsiClient
}

export interface CsiClientsOptions {
  readonly profile: Profile
  readonly clock: Clock
  readonly csi: (driver: string) => Port<CsiMethods> | undefined
  readonly signal: AbortSignal
}

const csiTimeout = 120_000

export function csiClients({profile, clock, csi, signal}: CsiClientsOptions): CsiClients {
  const missingIsTransient = profile.switches.has('missing-driver-transient')
  const capabilitiesUncertain = profile.switches.has('capability-error-uncertain')
  const mountGroupAsked = profile.switches.has('mount-group-asked')
  const accessModesAsked = profile.switches.has('access-modes-asked')
  const uncertain = uncertainProgress(profile)

  const clientOf = (port: Port<CsiMethods>): CsiClient => {
    const call = async <M extends keyof CsiMethods & string>(
      context: CsiContext,
      method: M,
      request: CsiMethods[M]['request'],
    ): Promise<CsiMethods[M]['response']> => {
      signal.throwIfAborted()
      const timeoutMs = context.endsAt - clock.now()
      if (timeoutMs <= 0) throw new CallFailure('DEADLINE_EXCEEDED', 'context deadline exceeded')
      try {
        return await port.call(method, request, {timeoutMs, signal})
      } finally {
        signal.throwIfAborted()
      }
    }
    /** Whether the driver answered, so that it is not at work any more. Upstream: isFinalError */
    const judged = (error: unknown, mayBeUncertain: boolean): Error => {
      if (!(error instanceof CallFailure)) throw error
      const text = `rpc error: code = ${goCode(error.code)} desc = ${error.message}`
      return mayBeUncertain && errorClass(goCode(error.code)) === 'uncertain' ? uncertain(text) : new Error(text)
    }
    const judge = async <T>(answer: Promise<T>, mayBeUncertain: boolean): Promise<T> => {
      try {
        return await answer
      } catch (error) {
        throw judged(error, mayBeUncertain)
      }
    }
    const capabilities = async (context: CsiContext): Promise<readonly NodeCapability[]> =>
      (await judge(call(context, 'NodeGetCapabilities', {}), capabilitiesUncertain)).capabilities
    // Before the call itself: its failure is taken for that of the call. Upstream: getNodeV1AccessModeMapper
    const askForAccessModes = async (context: CsiContext): Promise<void> => {
      if (accessModesAsked) await capabilities(context)
    }

    return {
      supports: async (context, capability) => (await capabilities(context)).includes(capability),
      askForMountGroup: async (context) => {
        if (mountGroupAsked) await capabilities(context)
      },
      stage: async (context, request) => {
        await askForAccessModes(context)
        await judge(call(context, 'NodeStageVolume', request), true)
      },
      publish: async (context, request) => {
        await askForAccessModes(context)
        await judge(call(context, 'NodePublishVolume', request), true)
      },
      unstage: async (context, request) => void (await judge(call(context, 'NodeUnstageVolume', request), false)),
      unpublish: async (context, request) => void (await judge(call(context, 'NodeUnpublishVolume', request), false)),
    }
  }

  return {
    context: () => ({endsAt: clock.now() + csiTimeout}),
    get: (driver) => {
      const port = csi(driver)
      if (port !== undefined) return clientOf(port)
      const text = `driver name ${driver} not found in the list of registered CSI drivers`
      throw missingIsTransient ? new TransientOperationFailure(text) : new Error(text)
    },
  }
}
