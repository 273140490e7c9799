import {describe, expect, test} from 'vitest'
import {kubeletCandidates} from '../../../src/node/endpoints/kubelet-endpoint.ts'
import {type HostTree, hostTree} from '../../support/host-tree.ts'

const kubelet = (...args: string[]) => [{pid: 812, name: 'kubelet', args: ['/usr/bin/kubelet', ...args]}]

async function candidates(tree: HostTree) {
  const {host} = await hostTree(tree)
  return (await kubeletCandidates(host)).map(({text, source, root}) => ({text, source, ...(root && {root})}))
}

describe('kubeletCandidates()', () => {
  test.for([
    ['--container-runtime-endpoint=unix:///run/x.sock'],
    ['--container-runtime-endpoint', 'unix:///run/x.sock'],
    ['--container-runtime-endpoint="unix:///run/x.sock"'],
  ])('reads %j on the command line', async (args) => {
    expect(await candidates({processes: kubelet(...args)})).toEqual([
      {text: 'unix:///run/x.sock', source: 'the command line of kubelet (pid 812)'},
    ])
  })

  test('reads the configuration file, with its line', async () => {
    const files = {
      '/var/lib/kubelet/config.yaml': 'apiVersion: kubelet.config.k8s.io/v1beta1\ncontainerRuntimeEndpoint: unix:///run/crio/crio.sock\n',
    }
    expect(await candidates({files, processes: kubelet('--config=/var/lib/kubelet/config.yaml')})).toEqual([
      {text: 'unix:///run/crio/crio.sock', source: '/var/lib/kubelet/config.yaml:2'},
    ])
  })

  test('lets the command line win over the files', async () => {
    const files = {'/c.yaml': 'containerRuntimeEndpoint: unix:///file.sock'}
    const [found] = await candidates({files, processes: kubelet('--config=/c.yaml', '--container-runtime-endpoint=unix:///flag.sock')})
    expect(found?.text).toBe('unix:///flag.sock')
  })

  test('lets drop-ins win over the file, the last by name over the others, and sees only *.conf', async () => {
    const files = {
      '/c.yaml': 'containerRuntimeEndpoint: unix:///file.sock',
      '/d/10-a.conf': 'containerRuntimeEndpoint: unix:///ten.sock',
      '/d/20-b.conf': '{"containerRuntimeEndpoint": "unix:///twenty.sock"}',
      '/d/30-other.conf': 'maxPods: 10',
      '/d/40-c.yaml': 'containerRuntimeEndpoint: unix:///forty.sock',
    }
    expect(await candidates({files, processes: kubelet('--config', '/c.yaml', '--config-dir', '/d')})).toEqual([
      {text: 'unix:///twenty.sock', source: '/d/20-b.conf:1'},
    ])
  })

  test('reads a relative --config from where the kubelet runs', async () => {
    const files = {'/proc/812/cwd/c.yaml': 'containerRuntimeEndpoint: unix:///x.sock'}
    expect(await candidates({files, processes: kubelet('--config=c.yaml')})).toEqual([
      {text: 'unix:///x.sock', source: '/proc/812/cwd/c.yaml:1'},
    ])
  })

  test("takes the kubelet's default when it says nothing", async () => {
    expect(await candidates({processes: kubelet()})).toEqual([
      {text: 'unix:///run/containerd/containerd.sock', source: 'the default of kubelet (pid 812)'},
    ])
  })

  test('claims nothing when a configuration file cannot be read', async () => {
    expect(await candidates({processes: kubelet('--config=/absent.yaml')})).toEqual([])
    expect(await candidates({files: {'/c.yaml': 'containerRuntimeEndpoint: ['}, processes: kubelet('--config=/c.yaml')})).toEqual([])
  })

  test('takes no program of a similar name for a kubelet without settings', async () => {
    expect(await candidates({processes: [{pid: 7, name: 'kubelet-csr-app', args: ['kubelet-csr-approver']}]})).toEqual([])
    expect(await candidates({processes: [{pid: 7, name: 'hyperkube', args: ['hyperkube', 'kube-proxy']}]})).toEqual([])
  })

  test("expands microk8s's arguments file", async () => {
    const processes = [
      {pid: 5, name: 'kubelite', args: ['/snap/microk8s/1/kubelite', '--kubelet-args-file=/var/snap/microk8s/1/args/kubelet']},
    ]
    const files = {
      '/var/snap/microk8s/1/args/kubelet': `--root-dir=\${SNAP_COMMON}/var/lib/kubelet\n# old\n--container-runtime-endpoint=\${SNAP_COMMON}/run/containerd.sock\n`,
    }
    expect(await candidates({files, processes})).toEqual([
      {text: '/var/snap/microk8s/common/run/containerd.sock', source: 'the command line of kubelite (pid 5)'},
    ])
  })

  test('goes through the root of a process in another mount namespace', async () => {
    const processes = [{pid: 9, name: 'kubelet', args: ['kubelet', '--config=/c.yaml'], mountNamespace: 'mnt:[2]'}]
    const files = {'/proc/9/root/c.yaml': 'containerRuntimeEndpoint: unix:///run/x.sock'}
    expect(await candidates({files, processes})).toEqual([
      {text: 'unix:///run/x.sock', source: '/proc/9/root/c.yaml:1', root: '/proc/9/root'},
    ])
  })
})
