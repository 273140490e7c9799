import {beforeAll, describe, expect, test} from 'vitest'
import {findKubelet} from '../../../src/node/kubelet-facts.ts'
import {selfSigned} from '../../support/certificate.ts'
import {type HostTree, hostTree} from '../../support/host-tree.ts'

const kubelet = (...args: string[]) => [{pid: 812, name: 'kubelet', args: ['/usr/bin/kubelet', ...args]}]
const line = 'the command line of kubelet (pid 812)'

async function facts(tree: HostTree, request: Parameters<typeof findKubelet>[1] = {}) {
  const {host} = await hostTree(tree)
  return findKubelet(host, request)
}

describe('findKubelet() on the root directory', () => {
  test.for<[what: string, tree: HostTree, value: string, why: string]>([
    ['the flag', {processes: kubelet('--root-dir=/data/kubelet/')}, '/data/kubelet', line],
    ['the default', {processes: kubelet()}, '/var/lib/kubelet', 'the default of kubelet (pid 812)'],
    [
      "microk8s's arguments",
      {
        processes: [{pid: 5, name: 'kubelite', args: ['kubelite', '--kubelet-args-file=/args']}],
        files: {'/args': `--root-dir=\${SNAP_COMMON}/var/lib/kubelet`},
      },
      '/var/snap/microk8s/common/var/lib/kubelet',
      'the command line of kubelite (pid 5)',
    ],
    [
      "k3s's configuration",
      {
        processes: [{pid: 5, name: 'k3s-server', args: ['k3s server']}],
        files: {'/etc/rancher/k3s/config.yaml': 'kubelet-arg: ["root-dir=/k"]'},
      },
      '/k',
      '/etc/rancher/k3s/config.yaml',
    ],
    [
      "k3s's own flag",
      {processes: [{pid: 5, name: 'k3s', args: ['k3s', 'agent', '--kubelet-arg', 'root-dir=/k']}]},
      '/k',
      'the command line of k3s (pid 5)',
    ],
    [
      'an old k3s',
      {processes: [{pid: 5, name: 'k3s', args: ['k3s']}], files: {'/var/lib/rancher/k3s/agent/kubelet/pods/x': ''}},
      '/var/lib/rancher/k3s/agent/kubelet',
      'k3s (pid 5) runs, and it has a folder of pods',
    ],
    ['nothing at all', {}, '/var/lib/kubelet', 'no kubelet runs, and none of the usual places has a folder of pods'],
  ])('goes by %s', async ([, tree, value, why]) => {
    expect((await facts(tree)).rootDir).toEqual({value, why})
  })

  test.for(['/var/lib/kubelet', '/var/lib/k0s/kubelet', '/var/snap/microk8s/common/var/lib/kubelet', '/var/lib/rancher/k3s/agent/kubelet'])(
    'finds %s where nothing runs',
    async (place) => {
      const {rootDir} = await facts({files: {[`${place}/pods/x`]: ''}})
      expect(rootDir).toEqual({value: place, why: 'no kubelet runs, and it has a folder of pods'})
    },
  )

  test('prefers what is special, and names the rival', async () => {
    const {rootDir} = await facts({files: {'/var/lib/kubelet/pods/x': '', '/var/lib/k0s/kubelet/pods/x': ''}})
    expect(rootDir.why).toBe('no kubelet runs, and it has a folder of pods; so has /var/lib/kubelet')
  })

  test('lets the user win, and resolves links for the mount table', async () => {
    const tree = {processes: kubelet('--root-dir=/data'), links: {'/mine': 'disks/a'}, files: {'/disks/a/x': ''}}
    const {rootDir, rootDirReal} = await facts(tree, {kubeletRoot: '/mine/'})
    expect([rootDir, rootDirReal]).toEqual([{value: '/mine', why: '--kubelet-root'}, '/disks/a'])
    expect((await facts({})).rootDirReal).toBeUndefined()
  })

  test('refuses what is no absolute path', async () => {
    await expect(facts({}, {kubeletRoot: '\\var\\lib\\kubelet'})).rejects.toThrow(
      "Cannot use --kubelet-root as it must be an absolute path: it is '\\var\\lib\\kubelet'",
    )
  })
})

describe("findKubelet() on the node's name", () => {
  let pem: string
  beforeAll(async () => {
    const {cert, key} = await selfSigned('/O=system:nodes/CN=system:node:certified')
    pem = `${cert}${key}`
  })

  test('believes the flag, then the certificate, then NODE_NAME, then the host', async () => {
    const files = {'/var/lib/kubelet/pki/kubelet-client-current.pem': pem, '/etc/hostname': 'Host.example\n'}
    const env = {NODE_NAME: 'told'}
    const name = async (tree: HostTree) => (await facts(tree)).node
    expect(await name({files, env, processes: kubelet('--hostname-override=Flag')})).toEqual({value: 'flag', why: line})
    expect(await name({files, env})).toEqual({
      value: 'certified',
      why: "the kubelet's certificate /var/lib/kubelet/pki/kubelet-client-current.pem",
    })
    expect(await name({env})).toEqual({value: 'told', why: 'NODE_NAME'})
    expect(await name({files: {'/etc/hostname': 'Host.example\n'}})).toEqual({
      value: 'host.example',
      why: "the host's name (/etc/hostname)",
    })
    expect(await name({})).toEqual({value: '', why: 'nothing says it'})
  })
})

describe('findKubelet() on ports', () => {
  const config = (text: string): HostTree => ({files: {'/c.yaml': text}, processes: kubelet('--config=/c.yaml')})
  test.for<[what: string, tree: HostTree, readOnly: [number, string]]>([
    ['nothing is known', {}, [10_255, 'no kubelet was seen to turn it off']],
    ['flags alone', {processes: kubelet()}, [10_255, 'the default of the flags']],
    ['a configuration file', config('kind: KubeletConfiguration'), [0, 'the default of a configuration file']],
    ['a file that turns it on', config('kind: KubeletConfiguration\nreadOnlyPort: 10255'), [10_255, '/c.yaml:2']],
    [
      'a file that cannot be read',
      {processes: kubelet('--config=/c.yaml')},
      [10_255, "the kubelet's configuration cannot be read (ENOENT)"],
    ],
    ['a file that is no YAML', config('port: ['), [10_255, "the kubelet's configuration cannot be read (BAD_INDENT)"]],
    ['the flag', {processes: kubelet('--read-only-port=0')}, [0, line]],
    ['k3s, which says nothing', {processes: [{pid: 5, name: 'k3s', args: ['k3s']}]}, [10_255, 'its settings are not seen']],
  ])('takes the read-only port from %s', async ([, tree, [port, why]]) => {
    if (tree.processes?.[0]?.name === 'k3s') expect((await facts(tree)).ports.readOnly.value.port).toBe(port)
    else expect((await facts(tree)).ports.readOnly).toEqual({value: {host: '127.0.0.1', port}, why})
  })

  test('takes the others from flags and files, and dials what can be dialled', async () => {
    const files = {'/c.yaml': 'address: "::"\nport: 1\nhealthzPort: 2\nhealthzBindAddress: 10.0.0.1', '/d/9.conf': 'port: 3'}
    const {ports} = await facts({files, processes: kubelet('--config=/c.yaml', '--config-dir=/d', '--healthz-port=4')})
    expect(ports.secure).toEqual({value: {host: '::1', port: 3}, why: '/d/9.conf:1'})
    expect(ports.healthz).toEqual({value: {host: '10.0.0.1', port: 4}, why: line})
  })
})

describe('findKubelet() on the rest', () => {
  test('finds nobody on a machine without a kubelet', async () => {
    const processes = [{pid: 7, name: 'kubelet-csr-app', args: ['kubelet-csr-approver', '--config=/x']}]
    expect((await facts({processes})).process).toBeUndefined()
  })

  test('takes no kubelet that has ended for one that runs', async () => {
    expect((await facts({processes: [{pid: 7, name: 'kubelet', args: []}]})).process).toBeUndefined()
  })

  test('prefers the kubelet of our own mount namespace, and tells of the others', async () => {
    const processes = [
      {pid: 7, name: 'kubelet', args: ['kubelet', '--root-dir=/a'], mountNamespace: 'mnt:[2]'},
      {pid: 8, name: 'kubelet', args: ['kubelet', '--root-dir=/b']},
    ]
    const {rootDir, notes, root} = await facts({processes})
    expect([rootDir.value, root]).toEqual(['/b', ''])
    expect(notes).toEqual(['2 kubelets run here (pids 7, 8): this is about pid 8'])
  })

  test('goes through the root of a kubelet elsewhere', async () => {
    const processes = [{pid: 9, name: 'kubelet', args: ['kubelet', '--config=/c.yaml'], mountNamespace: 'mnt:[2]'}]
    const {ports, root, kubeconfig} = await facts({processes, files: {'/proc/9/root/c.yaml': 'port: 77'}})
    expect([root, ports.secure, kubeconfig]).toEqual([
      '/proc/9/root',
      {value: {host: '127.0.0.1', port: 77}, why: '/proc/9/root/c.yaml:1'},
      undefined,
    ])
  })

  test("takes the unit from the kubelet's cgroup, and the kubeconfig, the certificate and the log from its flags", async () => {
    const found = await facts({
      processes: kubelet('--kubeconfig=/etc/k.conf', '--tls-cert-file=/x.crt', '--log-file=/var/log/k.log'),
      files: {'/proc/812/cgroup': '0::/system.slice/my-kubelet.service\n'},
    })
    expect(found.kubeconfig).toEqual({value: '/etc/k.conf', why: line})
    expect(found.servingCertificates).toEqual(['/x.crt'])
    expect(found.log.units).toEqual({value: ['my-kubelet'], why: 'the cgroup of pid 812'})
    expect(found.log.files[0]).toEqual({value: '/var/log/k.log', why: line})
  })

  test('knows the usual units otherwise', async () => {
    const {log} = await facts({processes: kubelet(), files: {'/proc/812/cgroup': '0::/\n'}})
    expect(log.units.why).toBe('the usual names')
    expect(log.units.value).toEqual(
      expect.arrayContaining(['kubelet', 'k3s', 'k3s-agent', 'rke2-agent', 'snap.microk8s.daemon-kubelite', 'k0sworker']),
    )
  })
})
