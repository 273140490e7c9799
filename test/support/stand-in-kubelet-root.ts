// What a kubelet puts into its root before the first pod.
import {chmod, mkdir, rm, writeFile} from 'node:fs/promises'
import {createServer} from 'node:net'
import {join} from 'node:path'

const folders = [
  ['', 0o755],
  ['plugins', 0o755],
  ['plugins_registry', 0o755],
  ['pod-resources', 0o750],
  ['pods', 0o750],
] as const

export async function createRoot(root: string): Promise<AsyncDisposable> {
  for (const [folder, mode] of folders) await mkdir(join(root, folder), {recursive: true, mode})
  // The checkpoints of the two managers whose policy is none.
  const checkpoint = (file: string, text: string) => writeFile(join(root, file), text, {mode: 0o600})
  await checkpoint('cpu_manager_state', '{"policyName":"none","defaultCpuSet":"","checksum":1353318690}')
  await checkpoint('memory_manager_state', '{"policyName":"None","machineState":{},"checksum":4047769516}')
  const resources = createServer((socket) => socket.destroy())
  const socket = join(root, 'pod-resources/kubelet.sock')
  await new Promise<void>((resolve) => resources.listen(socket, resolve))
  await chmod(socket, 0o755)
  const close = async () => {
    resources.close()
    await rm(socket, {force: true})
  }
  return {[Symbol.asyncDispose]: close}
}
