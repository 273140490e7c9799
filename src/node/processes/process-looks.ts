// What the processes of the node say of containers: which have a living one, and what became of a pid.
import type {Host} from '../endpoints/host.ts'
import type {Boot, ContainerProcess} from '../kernel/facts.ts'
import {machineNamespace, whyNotWholeMachine} from '../kernel/whole-machine.ts'
import {known, type Reading} from '../reading.ts'
import type {ProcessLook} from '../runtime/container-look.ts'
import {lookAtProcess} from '../runtime/look-at-process.ts'

/** One that has ended stays in the list until somebody has waited for it. */
export function isLiving({state}: Pick<ContainerProcess, 'state'>): boolean {
  return state !== 'Z' && state !== 'X'
}

export function livingContainers(processes: Reading<readonly ContainerProcess[]>): ReadonlySet<string> {
  return new Set((known(processes) ?? []).filter(isLiving).flatMap(({containerId}) => containerId ?? []))
}

/** Undefined when a pid that we do not see may still be there. */
export async function processLooks(
  host: Pick<Host, 'locate' | 'readLink'>,
  boot: Reading<Boot>,
  kubeletPid: number | undefined,
): Promise<((pid: number) => ProcessLook | undefined) | undefined> {
  const at = known(boot)?.at
  if (at === undefined || (await whyNotWholeMachine(host, kubeletPid)) !== undefined) return undefined
  // The runtime counts as its kubelet does. A node that is a container has processes of other numbers where we look from outside.
  if (kubeletPid !== undefined && !(await countsAsWeSee(host, kubeletPid))) return undefined
  // With hidepid, one who is not root sees only his own.
  const first = lookAtProcess(host, 1, at)
  if (first === undefined || first.state === 'gone') return undefined
  return (pid) => lookAtProcess(host, pid, at)
}

async function countsAsWeSee(host: Pick<Host, 'readLink'>, kubeletPid: number): Promise<boolean> {
  const kubelets = await namespaceOf(host, kubeletPid)
  // No /proc but the machine's own shows one of these. So process 1 need not be asked, which security modules refuse even to root.
  return kubelets === machineNamespace || kubelets === (await namespaceOf(host, 1))
}

async function namespaceOf(host: Pick<Host, 'readLink'>, pid: number): Promise<string> {
  return host.readLink(`/proc/${pid}/ns/pid`).catch(() => `that of process ${pid}`)
}
