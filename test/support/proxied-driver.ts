// A driver that really mounts, behind a proxy with rules, and a client with deadlines of its own.
import {mkdir} from 'node:fs/promises'
import {join} from 'node:path'
import {onTestFinished} from 'vitest'
import {systemClock} from '../../src/base/clock.ts'
import type {Fault} from '../../src/faults/fault.ts'
import type {Match, Rule} from '../../src/faults/rule.ts'
import type {ProxyRules} from '../../src/proxy/rules-in-force.ts'
import {serveProxy} from '../../src/proxy/serve-proxy.ts'
import {Node, type NodeStageVolumeResponseSchema} from '../../src/wire/gen/csi_pb.ts'
import {type CsiBind, startCsiBind} from './csi-bind.ts'
import {capabilityOf} from './csi-caller.ts'
import {createVolume} from './csi-calls.ts'
import {type GoAnswer, goCall} from './go-client.ts'
import {tempDir} from './socket-dir.ts'

export interface ProxiedDriver {
  readonly driver: CsiBind
  readonly rules: ProxyRules
  /** Where clients find the proxy. */
  readonly path: string
  readonly folder: string
  /** Of a volume that is there. */
  readonly handle: string
  readonly stagingPath: string
  /** NodeStageVolume through the proxy, by grpc-go. */
  stage(timeoutMs?: number): Promise<GoAnswer<typeof NodeStageVolumeResponseSchema>>
}

/** It ends with the test. */
export async function proxiedDriver(fault: Fault, match: Match = {method: 'NodeStageVolume'}): Promise<ProxiedDriver> {
  const folder = tempDir()
  const driver = await startCsiBind({kubeletRoot: join(folder, 'kubelet'), state: join(folder, 'state')})
  onTestFinished(() => driver[Symbol.asyncDispose]())
  const path = join(folder, 'p')
  const proxy = await serveProxy({listen: path, upstream: driver.socket, rules: [], seed: 1, clock: systemClock})
  onTestFinished(() => proxy[Symbol.asyncDispose]())
  const handle = await createVolume(path, 'data', false)
  const stagingPath = join(folder, 'staging')
  await mkdir(stagingPath)
  proxy.rules.add(ruleOf(fault, match))
  const request = {volumeId: handle, stagingTargetPath: stagingPath, volumeCapability: capabilityOf('mount')}
  const stage = (timeoutMs?: number) => goCall(path, Node.method.nodeStageVolume, request, {timeoutMs})
  return {driver, rules: proxy.rules, path, folder, handle, stagingPath, stage}
}

export const ruleOf = (fault: Fault, match: Match): Rule => ({name: fault.kind, match, fault})
