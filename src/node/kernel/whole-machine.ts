// Whether /proc shows the node, or only the container that we run in.
import type {Host} from '../endpoints/host.ts'

/** PROC_PID_INIT_INO of include/linux/proc_ns.h: the pid namespace that the machine was started with. */
export const machineNamespace = 'pid:[4026531836]'

/** Undefined when it shows the node's processes, process 1 being the node's; else why that is not certain. */
export async function whyNotWholeMachine(host: Pick<Host, 'readLink'>, kubeletPid: number | undefined): Promise<string | undefined> {
  if (kubeletPid !== undefined) return undefined
  // Only root may ask of process 1. Our own says the same unless /proc is another machine's.
  const namespace = await host.readLink('/proc/1/ns/pid').catch(() => host.readLink('/proc/self/ns/pid').catch(() => undefined))
  return namespace === machineNamespace ? undefined : 'no kubelet is to be seen, and /proc may be that of a container'
}
