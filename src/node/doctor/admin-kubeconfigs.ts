// Administrators' kubeconfigs that lie on control planes. They are not used unasked; that they are there is worth a hint.
import type {Host} from '../endpoints/host.ts'

const usual = [
  '/etc/kubernetes/admin.conf',
  '/etc/rancher/k3s/k3s.yaml',
  '/etc/rancher/rke2/rke2.yaml',
  '/var/lib/k0s/pki/admin.conf',
  '/var/snap/microk8s/current/credentials/client.config',
]

export async function adminKubeconfigs(host: Host): Promise<readonly string[]> {
  const found = await Promise.all(
    usual.map((path) =>
      host.look(path).then(
        () => path,
        () => undefined,
      ),
    ),
  )
  return found.filter((path) => path !== undefined).map((path) => host.locate(path))
}
