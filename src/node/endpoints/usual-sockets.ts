// Where runtimes listen when nobody says otherwise: distributions' places first, then crictl's defaults in its order.
import type {Candidate} from './candidate.ts'

const places: readonly (readonly [path: string, who: string])[] = [
  ['/run/k3s/containerd/containerd.sock', 'k3s and rke2'],
  ['/run/k0s/containerd.sock', 'k0s'],
  ['/var/snap/microk8s/common/run/containerd.sock', 'microk8s'],
  ['/run/containerd/containerd.sock', 'containerd'],
  ['/run/crio/crio.sock', 'CRI-O'],
  ['/var/run/cri-dockerd.sock', 'cri-dockerd'],
]

export const usualSockets: readonly Candidate[] = places.map(([path, who]) => ({
  text: `unix://${path}`,
  source: `the usual place of ${who}`,
  tier: 'usual',
  guess: true,
}))
