// Where distributions keep what is the kubelet's. What is special stands first: a CSI driver's manifest makes /var/lib/kubelet on any node.

export interface Distribution {
  readonly name: string
  /** What its kubelet's process is called. */
  readonly program: string
  readonly rootDir: string
  readonly kubeconfig: string
  /** The kubelet's client certificate and its key; one file may hold both. */
  readonly client: {readonly cert: string; readonly key: string}
  readonly servingCertificates: readonly string[]
  readonly units: readonly string[]
  readonly logFiles: readonly string[]
}

const pem = (path: string) => ({cert: path, key: path})

export const distributions: readonly Distribution[] = [
  {
    name: 'k0s',
    program: 'kubelet',
    rootDir: '/var/lib/k0s/kubelet',
    kubeconfig: '/var/lib/k0s/kubelet.conf',
    client: pem('/var/lib/k0s/kubelet/pki/kubelet-client-current.pem'),
    servingCertificates: ['/var/lib/k0s/kubelet/pki/kubelet.crt', '/var/lib/k0s/kubelet/pki/kubelet-server-current.pem'],
    units: ['k0sworker', 'k0scontroller'],
    logFiles: [],
  },
  {
    name: 'microk8s',
    program: 'kubelite',
    rootDir: '/var/snap/microk8s/common/var/lib/kubelet',
    kubeconfig: '/var/snap/microk8s/current/credentials/kubelet.config',
    client: {cert: '/var/snap/microk8s/current/certs/kubelet.crt', key: '/var/snap/microk8s/current/certs/kubelet.key'},
    servingCertificates: ['/var/snap/microk8s/current/certs/kubelet.crt'],
    units: ['snap.microk8s.daemon-kubelite', 'snap.microk8s.daemon-kubelet'],
    logFiles: [],
  },
  {
    name: 'kubeadm and most others',
    program: 'kubelet',
    rootDir: '/var/lib/kubelet',
    kubeconfig: '/etc/kubernetes/kubelet.conf',
    client: pem('/var/lib/kubelet/pki/kubelet-client-current.pem'),
    servingCertificates: ['/var/lib/kubelet/pki/kubelet.crt', '/var/lib/kubelet/pki/kubelet-server-current.pem'],
    units: ['kubelet'],
    logFiles: ['/var/log/kubelet.log'],
  },
  {
    name: 'EKS and GKE',
    program: 'kubelet',
    rootDir: '/var/lib/kubelet',
    kubeconfig: '/var/lib/kubelet/kubeconfig',
    client: pem('/var/lib/kubelet/pki/kubelet-client-current.pem'),
    servingCertificates: [],
    units: ['kubelet'],
    logFiles: [],
  },
  {
    name: 'rke2',
    program: 'kubelet',
    rootDir: '/var/lib/kubelet',
    kubeconfig: '/var/lib/rancher/rke2/agent/kubelet.kubeconfig',
    client: {cert: '/var/lib/rancher/rke2/agent/client-kubelet.crt', key: '/var/lib/rancher/rke2/agent/client-kubelet.key'},
    servingCertificates: ['/var/lib/rancher/rke2/agent/serving-kubelet.crt'],
    units: ['rke2-agent', 'rke2-server'],
    logFiles: ['/var/lib/rancher/rke2/agent/logs/kubelet.log'],
  },
  {
    name: 'k3s',
    program: 'k3s',
    rootDir: '/var/lib/kubelet',
    kubeconfig: '/var/lib/rancher/k3s/agent/kubelet.kubeconfig',
    client: {cert: '/var/lib/rancher/k3s/agent/client-kubelet.crt', key: '/var/lib/rancher/k3s/agent/client-kubelet.key'},
    servingCertificates: ['/var/lib/rancher/k3s/agent/serving-kubelet.crt'],
    units: ['k3s', 'k3s-agent'],
    logFiles: ['/var/log/k3s.log'],
  },
  {
    name: 'k3s before 0.10',
    program: 'k3s',
    rootDir: '/var/lib/rancher/k3s/agent/kubelet',
    kubeconfig: '/var/lib/rancher/k3s/agent/kubeconfig.yaml',
    client: {cert: '/var/lib/rancher/k3s/agent/client-kubelet.crt', key: '/var/lib/rancher/k3s/agent/client-kubelet.key'},
    servingCertificates: ['/var/lib/rancher/k3s/agent/serving-kubelet.crt'],
    units: ['k3s', 'k3s-agent'],
    logFiles: [],
  },
]
