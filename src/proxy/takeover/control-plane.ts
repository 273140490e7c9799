// Whether this node is one of the control plane: a fault of its runtime can take the cluster down, and with it the way to heal it.

import type {Host} from '../../node/endpoints/host.ts'
import {readCommandLine} from '../../node/endpoints/kubelet-process.ts'

const manifest = '/etc/kubernetes/manifests/kube-apiserver.yaml'

/** Of those whose API server is no process of its own: where its data are, and the program's name as the kernel has it. */
const servers = [
  {folder: '/var/lib/rancher/k3s/server', program: /^k3s/},
  {folder: '/var/lib/rancher/rke2/server', program: /^rke2/},
  {folder: '/var/snap/microk8s/current/args/kube-apiserver', program: /^kubelite$/},
] as const

/** What tells so, as a clause; undefined when nothing does. */
export async function controlPlaneSign(host: Host): Promise<string | undefined> {
  const processes = host.processes()
  const api = processes.find(({name}) => name === 'kube-apiserver')
  if (api !== undefined) return `process ${api.pid} is its API server`
  for (const {pid, name} of processes) {
    if (name !== 'hyperkube') continue
    const args = await readCommandLine(host, pid)
    if (args?.some((arg) => arg === 'kube-apiserver' || arg === 'apiserver')) return `process ${pid} is its API server`
  }
  if (await isThere(host, manifest)) return `${manifest} is there`
  for (const {folder, program} of servers) {
    const server = processes.find(({name}) => program.test(name))
    if (server !== undefined && (await isThere(host, folder))) return `${folder} is there, and process ${server.pid} is ${server.name}`
  }
  return undefined
}

/** What we may not look at is there. */
async function isThere(host: Host, path: string): Promise<boolean> {
  try {
    await host.look(path)
    return true
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException
    return code !== 'ENOENT' && code !== 'ENOTDIR'
  }
}
