// What a kubelet puts into its root before the first pod. Upstream: kubelet.go, setupDataDirs; cm/cpumanager, cm/memorymanager; apis/podresources
import {mkdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {type GrpcServer, serveGrpc} from '../../wire/serve-grpc.ts'

const folders = ['', 'pods', 'plugins', 'plugins_registry', 'pod-resources']

/** Of the two managers when their policy is none. */
const checkpoints = {
  cpu_manager_state: '{"policyName":"none","defaultCpuSet":"","checksum":1353318690}',
  memory_manager_state: '{"policyName":"None","machineState":{},"checksum":4047769516}',
}

/** @returns the socket that device monitors ask: there are no devices, and it says that it serves nothing. */
export async function setupKubeletRoot(root: string): Promise<GrpcServer> {
  for (const folder of folders) await mkdir(join(root, folder), {recursive: true, mode: 0o750})
  for (const [file, text] of Object.entries(checkpoints)) await writeFile(join(root, file), text, {mode: 0o600})
  return serveGrpc({path: join(root, 'pod-resources/kubelet.sock'), routes: () => {}, mode: 0o755})
}
