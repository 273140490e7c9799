// A small bundle to break in tests.

export const manifest = {
  apiVersion: 'kubelimbo/v1',
  kind: 'NodeBundle',
  metadata: {node: 'n1', when: '2026-11-30T03:11:04Z', tool: 'test'},
  kubelet: {root: '/var/lib/kubelet', version: '1.26.5'},
  readings: {
    'kernel.mounts': {state: 'read', file: 'kernel/mountinfo'},
    'kubelet.pods': {state: 'read', file: 'kubelet/pods.json'},
    'kubelet.log': {state: 'failed', why: 'no answer in 2s', tookMs: 2000},
    'api.pods': {state: 'absent', why: 'no kubeconfig'},
    'moon.phase': {state: 'absent', why: 'not asked for'},
    processes: {state: 'failed', why: 'permission denied'},
    'runtime.version': {state: 'read', file: 'runtime/version.txt'},
  },
}

export const mountinfo = '42 27 254:0 / /var/lib/kubelet rw shared:1 - ext4 /dev/vda rw\n'
export const pods = '{"kind":"PodList","items":[{"metadata":{"name":"a","namespace":"ns","uid":"u1"}}]}'
