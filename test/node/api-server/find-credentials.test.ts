import {inspect} from 'node:util'
import {describe, expect, test} from 'vitest'
import {usable} from '../../../src/node/api-server/credentials.ts'
import {findCredentials} from '../../../src/node/api-server/find-credentials.ts'
import {type HostTree, hostTree} from '../../support/host-tree.ts'

const kubeconfig = (server: string, user = 'token: planted-token') => `current-context: c
contexts: [{name: c, context: {cluster: k, user: u}}]
clusters: [{name: k, cluster: {server: "https://${server}"}}]
users: [{name: u, user: {${user}}}]
`
const account = {
  '/var/run/secrets/kubernetes.io/serviceaccount/token': 'planted-token\n',
  '/var/run/secrets/kubernetes.io/serviceaccount/ca.crt': 'CA',
}
const inCluster = {KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443'}

async function find(tree: HostTree, more: Partial<Parameters<typeof findCredentials>[0]> = {}) {
  const {host} = await hostTree(tree)
  return findCredentials({own: host, host, facts: {root: '', kubeconfig: undefined}, ...more})
}

const sources = async (...question: Parameters<typeof find>) =>
  (await find(...question)).map(({source, found}) => [source, found.state, 'why' in found ? found.why : found.by])

describe('findCredentials()', () => {
  test('tries KUBECONFIG, the pod, and the kubelet, in this order', async () => {
    const files = {...account, '/k.yaml': kubeconfig('1'), '/etc/kubernetes/kubelet.conf': kubeconfig('2')}
    expect(await sources({files, env: {...inCluster, KUBECONFIG: '/none.yaml:/k.yaml'}})).toEqual([
      ['KUBECONFIG /k.yaml', 'usable', 'a token'],
      ['the service account of this pod', 'usable', 'a token'],
      ["the kubelet's kubeconfig /etc/kubernetes/kubelet.conf", 'usable', 'a token'],
    ])
  })

  test('lets --kubeconfig decide alone', async () => {
    const files = {...account, '/k.yaml': kubeconfig('1'), '/mine.yaml': kubeconfig('2')}
    expect(await sources({files, env: {...inCluster, KUBECONFIG: '/k.yaml'}}, {kubeconfig: '/mine.yaml'})).toEqual([
      ['--kubeconfig /mine.yaml', 'usable', 'a token'],
    ])
  })

  test('says that there is none', async () => {
    expect(await sources({})).toEqual([["the kubelet's kubeconfig", 'missing', 'it is in none of its usual places']])
  })

  test.for([
    '/etc/kubernetes/kubelet.conf',
    '/var/lib/kubelet/kubeconfig',
    '/var/lib/rancher/k3s/agent/kubelet.kubeconfig',
    '/var/lib/rancher/rke2/agent/kubelet.kubeconfig',
    '/var/snap/microk8s/current/credentials/kubelet.config',
    '/var/lib/k0s/kubelet.conf',
  ])("finds the kubelet's in %s", async (path) => {
    expect(await sources({files: {[path]: kubeconfig('1')}})).toEqual([[`the kubelet's kubeconfig ${path}`, 'usable', 'a token']])
  })

  test('takes the one that the kubelet was told to use first, below its root', async () => {
    const files = {'/proc/9/root/etc/k.conf': kubeconfig('1', 'client-certificate: c.pem, client-key: /k.pem')}
    const materials = {'/proc/9/root/etc/c.pem': 'CERT', '/proc/9/root/pki/real.pem': 'KEY'}
    const links = {'/proc/9/root/k.pem': '/pki/real.pem'}
    const [place] = await find(
      {files: {...files, ...materials}, links},
      {facts: {root: '/proc/9/root', kubeconfig: {value: '/etc/k.conf', why: 'the test'}}},
    )
    expect(place?.found).toMatchObject({state: 'usable', by: 'a client certificate', credentials: {tls: {cert: 'CERT'}}})
    expect(usable(place ? [place] : [])[0]?.tls.key?.reveal()).toBe('KEY')
  })

  test('reads the pod, whose address may be IPv6', async () => {
    const [credentials] = usable(await find({files: account, env: inCluster}))
    expect(credentials?.server?.href).toBe('https://[fd00::1]/')
    expect(credentials?.token?.reveal()).toBe('planted-token')
    expect(credentials?.tls).toEqual({verify: true, ca: 'CA'})
  })

  test('runs no program for credentials, and says who can', async () => {
    const files = {'/k.yaml': kubeconfig('1', 'exec: {command: aws}')}
    const why = 'its user gets credentials from a program (exec), which is not run; `kubectl get --raw` can ask in our stead'
    expect(await sources({files}, {kubeconfig: '/k.yaml'})).toEqual([['--kubeconfig /k.yaml', 'unusable', why]])
  })

  test.for([
    ['/none.yaml', 'Cannot use --kubeconfig as /none.yaml must be readable: there is no such file or folder'],
    ['/bad.yaml', "Cannot use the kubeconfig as its 'current-context' must name a context: it names none (/bad.yaml:1)"],
    ['/names.yaml', 'Cannot use the kubeconfig as it names /gone.pem, which must be readable: there is no such file or folder'],
  ])("refuses the user's own %s", async ([path = '', message]) => {
    const files = {'/bad.yaml': 'kind: Config', '/names.yaml': kubeconfig('1', 'client-certificate: gone.pem, client-key: x')}
    await expect(find({files}, {kubeconfig: path})).rejects.toThrow(message)
  })

  test("passes by a kubelet's kubeconfig that is broken, and says why", async () => {
    expect(await sources({files: {'/etc/kubernetes/kubelet.conf': 'a: *planted-token'}})).toEqual([
      [
        "the kubelet's kubeconfig /etc/kubernetes/kubelet.conf",
        'unusable',
        "Cannot use the kubeconfig as its 'current-context' must name a context: it names none (/etc/kubernetes/kubelet.conf:1)",
      ],
    ])
  })

  test('takes a user and a password out of the address of the server', async () => {
    const files = {'/k.yaml': kubeconfig('lab:planted%2Fpassword@1', '')}
    const found = await find({files}, {kubeconfig: '/k.yaml'})
    const [credentials] = usable(found)
    expect(credentials?.server?.href).toBe('https://1/'.replace('1', '0.0.0.1'))
    expect([credentials?.login?.user, credentials?.login?.password.reveal()]).toEqual(['lab', 'planted/password'])
    expect(inspect(found, {depth: 9}) + JSON.stringify(found)).not.toContain('planted')
    expect(found[0]?.found).toMatchObject({by: 'a password in its address'})
  })

  test('shows no secret to whoever prints it', async () => {
    const places = await find({files: {...account, '/k.yaml': kubeconfig('1')}, env: {...inCluster, KUBECONFIG: '/k.yaml'}})
    expect(JSON.stringify(places) + inspect(places, {depth: 9, showHidden: true}) + String(usable(places)[0]?.token)).not.toContain(
      'planted',
    )
  })
})
