// The ports of a miniature kubelet with rules on them.
import type {ScaledClock} from '../../src/base/scaled-clock.ts'
import type {Methods, Port} from '../../src/kubelet/port.ts'
import type {CriPort, CsiPort} from '../../src/kubelet/ports.ts'
import {describeCsi} from '../../src/lab/drivers/describe-csi.ts'
import {deadlines} from '../../src/lab/port/deadlines.ts'
import {faultyPort} from '../../src/lab/port/faulty-port.ts'
import type {RuleBook} from '../../src/lab/port/rule-book.ts'
import type {Server} from '../../src/lab/port/server.ts'
import {timeline} from '../../src/timeline/timeline.ts'

const csiMethods = ['NodeGetCapabilities', 'NodeStageVolume', 'NodeUnstageVolume', 'NodePublishVolume', 'NodeUnpublishVolume']
const criMethods = ['RunPodSandbox', 'StopPodSandbox', 'RemovePodSandbox', 'PodSandboxStatus', 'ListPodSandbox', 'CreateContainer']
  .concat(['StartContainer', 'StopContainer', 'RemoveContainer', 'ListContainers', 'ContainerStatus', 'ExecSync'])
  .concat(['ImageStatus', 'PullImage'])

/** Rules for the runtime can tell its calls apart by their methods alone. */
export function faultyPorts(clock: ScaledClock, rules: RuleBook) {
  const shared = () => ({clock, timeline: timeline(clock.now), rules, deadlines: deadlines(clock)})
  return {
    cri: (port: CriPort): CriPort =>
      faultyPort(serverOf(port, criMethods), {...shared(), describe: (method, request) => ({to: 'cri', method, request: {...request}})}),
    csi: (port: CsiPort, driver: string): CsiPort =>
      faultyPort(serverOf(port, csiMethods), {...shared(), describe: describeCsi(driver, () => undefined)}),
  }
}

function serverOf<M extends Methods>(port: Port<M>, methods: readonly string[]): Server<M> {
  const handlers = methods.map((method) => [
    method,
    (request: M[string]['request'], {timeoutMs, signal}: {timeoutMs: number; signal: AbortSignal}) =>
      port.call(method as never, request, {timeoutMs, signal}),
  ])
  return Object.fromEntries(handlers) as Server<M>
}
