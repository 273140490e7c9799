import {describe, expect, test} from 'vitest'
import {UserError} from '../../../src/base/errors.ts'
import {type DiscoverOptions, discover} from '../../../src/node/endpoints/discover.ts'
import type {CriClient} from '../../../src/wire/cri-client.ts'
import {RpcFailure} from '../../../src/wire/rpc-failure.ts'
import {type HostTree, hostTree} from '../../support/host-tree.ts'

/** Dials by the socket's path on the node: a runtime's name, or why there is none. */
type Runtimes = Readonly<Record<string, string | RpcFailure>>

async function find(tree: HostTree, options: DiscoverOptions = {}, runtimes: Runtimes = {}) {
  const {host, root} = await hostTree(tree)
  const dialled: string[] = []
  const closed: string[] = []
  const discovery = await discover(options, host, async (path) => {
    const onNode = path.startsWith(root) ? path.slice(root.length) : path
    dialled.push(onNode)
    const runtime = runtimes[onNode] ?? 'containerd'
    if (runtime instanceof RpcFailure) throw runtime
    const client: Partial<CriClient> = {
      runtime: {name: runtime, version: '1', api: 'v1'},
      [Symbol.asyncDispose]: async () => void closed.push(onNode),
    }
    return client as CriClient
  })
  const {chosen} = discovery
  return {
    ...discovery,
    dialled,
    closed,
    used: chosen instanceof UserError ? undefined : chosen.endpoint,
    source: chosen instanceof UserError ? undefined : chosen.source,
    error: chosen instanceof UserError ? chosen : undefined,
  }
}

const kubelet = (...args: string[]) => [{pid: 812, name: 'kubelet', args: ['kubelet', ...args]}]
const refused = new RpcFailure('UNAVAILABLE', 'refused', 'nobody listens on it')
const noCri = new RpcFailure('UNIMPLEMENTED', 'no-service', 'it is no container runtime')

const containerd = '/run/containerd/containerd.sock'
const crio = '/run/crio/crio.sock'
const dockerd = '/var/run/cri-dockerd.sock'
const k3s = '/run/k3s/containerd/containerd.sock'
const varRun = {'/var/run': '../run'}

describe('discover() on each distribution', () => {
  const rows: readonly [name: string, tree: HostTree, used: string, source: string, runtimes?: Runtimes][] = [
    [
      'kubeadm with containerd, spelled /var/run',
      {
        sockets: [containerd],
        links: varRun,
        files: {'/var/lib/kubelet/config.yaml': 'containerRuntimeEndpoint: ""\n'},
        processes: kubelet(
          '--config=/var/lib/kubelet/config.yaml',
          '--container-runtime-endpoint=unix:///var/run/containerd/containerd.sock',
        ),
      },
      'unix:///var/run/containerd/containerd.sock',
      'the command line of kubelet (pid 812)',
    ],
    [
      'a kubelet with its default',
      {sockets: [containerd], processes: kubelet()},
      `unix://${containerd}`,
      'the default of kubelet (pid 812)',
    ],
    [
      'CRI-O',
      {
        sockets: [crio],
        files: {'/etc/kubernetes/kubelet.conf': `containerRuntimeEndpoint: unix://${crio}`},
        processes: kubelet('--config=/etc/kubernetes/kubelet.conf'),
      },
      `unix://${crio}`,
      '/etc/kubernetes/kubelet.conf:1',
    ],
    [
      "cri-dockerd beside docker's own containerd",
      {sockets: ['/run/cri-dockerd.sock', containerd], links: varRun},
      `unix://${dockerd}`,
      'the usual place of cri-dockerd',
      {[containerd]: noCri, [dockerd]: 'docker'},
    ],
    [
      'k3s',
      {sockets: [k3s], processes: [{pid: 3, name: 'k3s-server', args: ['/usr/local/bin/k3s server']}]},
      `unix://${k3s}`,
      'k3s (pid 3)',
    ],
    [
      'rke2, whose kubelet is a process',
      {
        sockets: [k3s],
        processes: [{pid: 1, name: 'rke2', args: ['rke2 server']}, ...kubelet(`--container-runtime-endpoint=unix://${k3s}`)],
      },
      `unix://${k3s}`,
      'the command line of kubelet (pid 812)',
    ],
    [
      'microk8s',
      {
        sockets: ['/var/snap/microk8s/common/run/containerd.sock'],
        processes: [{pid: 4, name: 'kubelite', args: ['kubelite', '--kubelet-args-file=/var/snap/microk8s/current/args/kubelet']}],
        files: {'/var/snap/microk8s/current/args/kubelet': `--container-runtime-endpoint=\${SNAP_COMMON}/run/containerd.sock\n`},
      },
      'unix:///var/snap/microk8s/common/run/containerd.sock',
      'the command line of kubelite (pid 4)',
    ],
    [
      'k0s',
      {sockets: ['/run/k0s/containerd.sock'], processes: kubelet('--container-runtime-endpoint=unix:///run/k0s/containerd.sock')},
      'unix:///run/k0s/containerd.sock',
      'the command line of kubelet (pid 812)',
    ],
    [
      'rootless k3s, through its root',
      {sockets: [`/proc/6/root${k3s}`], processes: [{pid: 6, name: 'k3s-agent', args: ['k3s agent'], mountNamespace: 'mnt:[2]'}]},
      `unix:///proc/6/root${k3s}`,
      'k3s (pid 6)',
    ],
    ['a machine without a kubelet', {sockets: [crio]}, `unix://${crio}`, 'the usual place of CRI-O'],
    ['k0s without its kubelet', {sockets: ['/run/k0s/containerd.sock']}, 'unix:///run/k0s/containerd.sock', 'the usual place of k0s'],
    [
      'microk8s without its kubelet',
      {sockets: ['/var/snap/microk8s/common/run/containerd.sock']},
      'unix:///var/snap/microk8s/common/run/containerd.sock',
      'the usual place of microk8s',
    ],
  ]

  test.for(rows)('%s', async ([, tree, used, source, runtimes]) => {
    expect(await find(tree, {}, runtimes)).toMatchObject({used, source, error: undefined})
  })

  test('minikube and kops: the file that they write for crictl', async () => {
    const configured = {text: `unix://${dockerd}`, source: '/etc/crictl.yaml:1'}
    expect(await find({sockets: ['/run/cri-dockerd.sock', containerd], links: varRun}, {configured})).toMatchObject({
      used: `unix://${dockerd}`,
      source: '/etc/crictl.yaml:1',
    })
  })
})

describe('discover()', () => {
  test('lets the flag alone decide, then the variable, then the file', async () => {
    const tree = {sockets: ['/a', '/b', '/c', containerd], env: {CONTAINER_RUNTIME_ENDPOINT: 'unix:///b'}}
    const configured = {text: 'unix:///c', source: '/etc/crictl.yaml:1'}
    expect(await find(tree, {flag: 'unix:///a', configured})).toMatchObject({
      used: 'unix:///a',
      source: '--runtime-endpoint',
      dialled: ['/a'],
    })
    expect(await find(tree, {configured})).toMatchObject({used: 'unix:///b', source: 'CONTAINER_RUNTIME_ENDPOINT', dialled: ['/b']})
    expect(await find({...tree, env: {}}, {configured})).toMatchObject({used: 'unix:///c', source: '/etc/crictl.yaml:1', dialled: ['/c']})
  })

  test('does not look elsewhere when what was named is not there', async () => {
    const {error, dialled} = await find({sockets: [containerd]}, {flag: 'unix:///absent.sock'})
    expect(error?.message).toBe(
      'Cannot reach the container runtime: unix:///absent.sock (--runtime-endpoint): there is no socket /absent.sock',
    )
    expect(error?.exit).toBe(3)
    expect(dialled).toEqual([])
  })

  test('refuses a file that is no socket', async () => {
    const {error} = await find({files: {'/x.sock': ''}}, {flag: '/x.sock'})
    expect(error?.message).toMatch(/: \/x\.sock is not a socket$/)
  })

  test('refuses an address that is none', async () => {
    await expect(find({}, {flag: 'tcp://127.0.0.1:1'})).rejects.toMatchObject({
      exit: 2,
      message: "Cannot use --runtime-endpoint as it must be the address of a unix socket: it is 'tcp://127.0.0.1:1'",
    })
  })

  test("rejects a kubelet's address that is none", async () => {
    const {error} = await find({sockets: [containerd], processes: kubelet('--container-runtime-endpoint=tcp://127.0.0.1:1')})
    expect(error?.message).toMatch(
      /^Cannot reach the container runtime: tcp:\/\/127\.0\.0\.1:1 \(the command line of kubelet \(pid 812\)\): Cannot use /,
    )
  })

  test('stops at two runtimes when nothing tells which one the kubelet uses', async () => {
    const {error, closed} = await find({sockets: [containerd, crio]}, {}, {[crio]: 'cri-o'})
    expect(error?.message).toBe(
      'Cannot tell which container runtime the kubelet uses as one must be named when several answer: these do: ' +
        'unix:///run/containerd/containerd.sock (containerd, the usual place of containerd) and unix:///run/crio/crio.sock (cri-o, the usual place of CRI-O)',
    )
    expect(error).toMatchObject({exit: 3, hint: 'name it: -r unix:///run/containerd/containerd.sock'})
    expect(closed).toEqual([containerd, crio])
  })

  test("lets the kubelet's command line decide between two", async () => {
    const tree = {sockets: [containerd, crio], processes: kubelet(`--container-runtime-endpoint=unix://${crio}`)}
    expect(await find(tree)).toMatchObject({used: `unix://${crio}`, dialled: [crio]})
  })

  test("does not take another runtime when the kubelet's is down", async () => {
    const tree = {sockets: [containerd, crio], processes: kubelet(`--container-runtime-endpoint=unix://${crio}`)}
    const {error} = await find(tree, {}, {[crio]: refused})
    expect(error?.message).toBe(
      'Cannot reach the container runtime: unix:///run/crio/crio.sock (the command line of kubelet (pid 812)): nobody listens on it',
    )
    expect(error?.hint).toMatch(/^see whether the runtime runs/)
  })

  test('counts a socket with two names once', async () => {
    const {candidates, used, dialled} = await find(
      {sockets: [containerd], links: varRun, processes: kubelet('--container-runtime-endpoint=/var/run/containerd/containerd.sock')},
      {everything: true},
    )
    expect(used).toBe('unix:///var/run/containerd/containerd.sock')
    expect(dialled).toEqual(['/var/run/containerd/containerd.sock'])
    expect(candidates.find(({endpoint}) => endpoint === `unix://${containerd}`)?.outcome).toEqual({
      state: 'same',
      as: 'unix:///var/run/containerd/containerd.sock',
    })
  })

  test('passes on that an address is spelled in the old way', async () => {
    const {warnings} = await find({sockets: ['/x']}, {flag: '/x'})
    expect(warnings).toEqual(['--runtime-endpoint is a bare path, which the kubelet and crictl call deprecated: write unix:///x'])
  })

  test('takes the live one of two kubelets, and neither of two live ones', async () => {
    const processes = [
      {pid: 1, name: 'kubelet', args: ['kubelet', '--container-runtime-endpoint=unix:///a']},
      {pid: 2, name: 'kubelet', args: ['kubelet', '--container-runtime-endpoint=unix:///b']},
    ]
    expect(await find({sockets: ['/a', '/b'], processes}, {}, {'/a': refused})).toMatchObject({used: 'unix:///b'})
    expect((await find({sockets: ['/a', '/b'], processes})).error?.message).toMatch(/^Cannot tell which/)
  })

  test('says so when there is nothing', async () => {
    const {error} = await find({})
    expect(error?.message).toBe('Cannot find a container runtime as one must listen on a socket: there is none in the usual places')
  })

  test('records every candidate when asked for everything, and still lets the flag decide', async () => {
    const tree = {sockets: ['/a', crio], env: {CONTAINER_RUNTIME_ENDPOINT: 'unix:///b'}}
    const {candidates, used} = await find(tree, {flag: 'unix:///a', everything: true})
    expect(used).toBe('unix:///a')
    expect(candidates.map(({endpoint, outcome}) => `${endpoint} ${outcome.state}`)).toEqual([
      'unix:///a answers',
      'unix:///run/k3s/containerd/containerd.sock rejected',
      'unix:///run/k0s/containerd.sock rejected',
      'unix:///var/snap/microk8s/common/run/containerd.sock rejected',
      'unix:///run/containerd/containerd.sock rejected',
      'unix:///run/crio/crio.sock answers',
      'unix:///var/run/cri-dockerd.sock rejected',
      'unix:///b not tried',
    ])
  })
})
