import {randomBytes} from 'node:crypto'
import {statSync} from 'node:fs'
import {mkdir, mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {systemClock} from '../../src/base/clock.ts'
import {selfSigned} from '../../src/lab/api/self-signed.ts'
import {type ApiLab, startApiLab} from '../support/api-lab.ts'
import {builtPeers} from '../support/built-peers.ts'
import {debianKubectl} from '../support/debian-kubectl.ts'
import {type Kubectl, kubectlAt} from '../support/kubectl.ts'

const manifest = (name: string, more = '') => `
apiVersion: v1
kind: Pod
metadata:
  name: ${name}
  labels: {app: ${name}}
spec:
  terminationGracePeriodSeconds: 1
  containers:
  - name: main
    image: kubelimbo/lab:1
    command: [sleep, infinity]
    env: [{name: A, value: b}]
${more}`

describe.each([
  ['of today', async () => (await builtPeers('kubectl'))[0] ?? ''],
  ['of Debian 12', debianKubectl],
])('kubectl %s', (_, binary) => {
  let lab: ApiLab
  let folder: string
  let kubectl: Kubectl
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kl-'))
    lab = await startApiLab()
    kubectl = kubectlAt(await binary(), await lab.kubeconfig(folder), folder)
  })
  afterAll(async () => {
    await lab?.[Symbol.asyncDispose]()
    await rm(folder, {recursive: true, force: true})
  })

  const printed = async (...args: readonly string[]) => {
    const {code, out, err} = await kubectl(args)
    expect({code, err: err.replace(/^warning: Immediate deletion.*$/im, '').trim()}).toEqual({code: 0, err: ''})
    return out
  }
  const apply = async (text: string, ...more: readonly string[]) => {
    const {code, out, err} = await kubectl(['apply', ...more, '-f', '-'], text)
    expect({code, err}).toEqual({code: 0, err: ''})
    return out
  }
  const running = (name: string) => printed('wait', '--for=condition=Ready', `pod/${name}`, '--timeout=30s')

  test('has a kubeconfig that is for its owner only', () => {
    expect(statSync(join(folder, 'kubeconfig')).mode & 0o777).toBe(0o600)
  })

  test('apply makes a pod, get -w sees it come and go', async () => {
    await apply(manifest('first'))
    const listed = Promise.withResolvers<void>()
    const watched = kubectl.until(['get', 'pods', '-w', '--no-headers'], (out) => {
      // It watches from the list on that has this pod.
      if (out.includes('first')) listed.resolve()
      return /Terminating.*\ngone +\S+ +Pending/s.test(out)
    })
    await Promise.race([listed.promise, watched])
    expect(await apply(manifest('watched'))).toBe('pod/watched created')
    await running('watched')
    expect(await printed('delete', 'pod', 'watched')).toMatch(/^pod "watched" deleted/)
    await apply(manifest('gone'))
    const words = (await watched).split('\n').flatMap((line) => /^watched +\S+ +(\S+)/.exec(line)?.[1] ?? [])
    const steps = words.filter((word, index) => word !== words[index - 1])
    expect(steps.slice(0, 3)).toEqual(['Pending', 'ContainerCreating', 'Running'])
    expect(steps).toContain('Terminating')
    await printed('delete', 'pod', 'gone', '--now')
  })

  test('apply changes what it is asked to, and nothing the second time', async () => {
    await apply(manifest('changed'))
    await running('changed')
    expect(await apply(manifest('changed'))).toBe('pod/changed unchanged')
    expect(await apply(manifest('changed').replace('{app: changed}', '{tier: front}'))).toBe('pod/changed configured')
    expect(await printed('get', 'pod', 'changed', '-o', 'jsonpath={.metadata.labels}')).toBe('{"tier":"front"}')
    const {code, err} = await kubectl(['apply', '-f', '-'], manifest('changed').replace('infinity', '5'))
    expect(code).toBe(1)
    expect(err).toContain('spec: Forbidden: pod updates may not change fields other than')
  })

  test('apply --server-side makes and changes a pod', async () => {
    expect(await apply(manifest('applied'), '--server-side')).toBe('pod/applied serverside-applied')
    await apply(manifest('applied').replace('{app: applied}', '{tier: front}'), '--server-side')
    expect(await printed('get', 'pod', 'applied', '-o', 'jsonpath={.metadata.labels}')).toBe('{"tier":"front"}')
  })

  test('apply --dry-run=server makes nothing', async () => {
    expect(await apply(manifest('dry'), '--dry-run=server')).toBe('pod/dry created (server dry run)')
    expect((await kubectl(['get', 'pod', 'dry'])).err).toBe('Error from server (NotFound): pods "dry" not found')
  })

  test('get prints the columns of a pod and a node', async () => {
    await apply(manifest('listed'))
    await running('listed')
    expect(await printed('get', 'pods', '-l', 'app=listed', '-o', 'wide')).toMatch(
      /^NAME +READY +STATUS +RESTARTS +AGE +IP +NODE +NOMINATED NODE +READINESS GATES\nlisted +1\/1 +Running +0 +\d+s +<none> +lab +<none> +<none>$/,
    )
    expect(await printed('get', 'nodes')).toMatch(/^NAME +STATUS +ROLES +AGE +VERSION\nlab +Ready +<none> +\S+ +v1\.37\.2$/)
    expect(await printed('get', 'pods', '--field-selector', 'metadata.name=listed,status.phase=Running', '-o', 'name')).toBe('pod/listed')
    expect(await printed('get', 'pod', 'listed', '-o', 'yaml')).toContain('    env:\n    - name: A\n      value: b\n')
    expect(JSON.parse(await printed('get', 'pods', '-A', '-o', 'json')).kind).toBe('List')
  })

  test('describe tells of the pod and of its events', async () => {
    await apply(manifest('described'))
    await running('described')
    const uid = await printed('get', 'pod', 'described', '-o', 'jsonpath={.metadata.uid}')
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: {name: 'described.1', namespace: 'default'},
      involvedObject: {kind: 'Pod', namespace: 'default', name: 'described', uid},
      type: 'Normal',
      reason: 'Started',
      message: 'Started container main',
      source: {component: 'kubelet'},
      firstTimestamp: '2026-11-30T12:00:00Z',
      lastTimestamp: '2026-11-30T12:00:00Z',
      count: 1,
    }
    expect((await kubectl(['create', '-f', '-'], JSON.stringify(event))).out).toBe('event/described.1 created')
    const text = await printed('describe', 'pod', 'described')
    expect(text).toMatch(/^Status: +Running$/m)
    expect(text).toMatch(/^ +Normal +Started +\S+ +kubelet +Started container main$/m)
    expect(await printed('get', 'events')).toMatch(
      /^LAST SEEN +TYPE +REASON +OBJECT +MESSAGE\n\S+ +Normal +Started +pod\/described +Started container main$/,
    )
  })

  test('patch, label, annotate and replace change a pod', async () => {
    await apply(manifest('patched'))
    await running('patched')
    const patch = (type: string, text: string) => printed('patch', 'pod', 'patched', '--type', type, '-p', text)
    await patch('strategic', '{"spec":{"containers":[{"name":"main","image":"kubelimbo/lab:1"}]},"metadata":{"labels":{"a":"1"}}}')
    await patch('merge', '{"metadata":{"labels":{"b":"2"}}}')
    await patch('json', '[{"op":"add","path":"/metadata/labels/c","value":"3"}]')
    await printed('label', 'pod', 'patched', 'd=4', 'app-')
    await printed('annotate', 'pod', 'patched', 'note=x')
    const yaml = await printed('get', 'pod', 'patched', '-o', 'yaml')
    expect((await kubectl(['replace', '-f', '-'], yaml.replace('d: "4"', 'd: "5"'))).out).toBe('pod/patched replaced')
    expect(JSON.parse(await printed('get', 'pod', 'patched', '-o', 'jsonpath={.metadata.labels}'))).toEqual({
      a: '1',
      b: '2',
      c: '3',
      d: '5',
    })
    const late = await kubectl(['replace', '-f', '-'], yaml)
    expect(late.err).toContain('the object has been modified; please apply your changes to the latest version and try again')
  })

  test('delete waits for the grace, or does not', async () => {
    await apply(manifest('slow'))
    await apply(manifest('quick'))
    await running('slow')
    expect(await printed('delete', 'pod', 'quick', '--force', '--grace-period=0')).toMatch(/^pod "quick" force deleted/)
    await printed('delete', 'pod', 'slow', '--grace-period=2', '--wait=false')
    expect(await printed('get', 'pod', 'slow', '-o', 'jsonpath={.metadata.deletionGracePeriodSeconds}')).toBe('2')
    await printed('wait', '--for=delete', 'pod/slow', '--timeout=30s')
    expect((await kubectl(['get', 'pod', 'slow'])).err).toBe('Error from server (NotFound): pods "slow" not found')
  })

  test('create says what the server refuses', async () => {
    const {code, err} = await kubectl(['create', '-f', '-'], manifest('refused').replace('[sleep, infinity]', '[sh, -c, "echo a | cat"]'))
    expect(code).toBe(1)
    expect(err).toContain('The Pod "refused" is invalid: spec.containers[0].command: Invalid value')
  })

  test('create makes a namespace and what is in it, delete ends them all', async () => {
    await printed('create', 'namespace', 'room')
    await printed('-n', 'room', 'create', 'configmap', 'c', '--from-literal=a=b')
    await printed('-n', 'room', 'create', 'secret', 'generic', 's', '--from-literal=a=b')
    await printed('-n', 'room', 'run', 'p', '--image=kubelimbo/lab:1', '--restart=Never', '--command', '--', 'sleep', '1')
    expect(await printed('-n', 'room', 'get', 'configmap,secret', '-o', 'jsonpath={.items[*].data.a}')).toBe('b Yg==')
    await printed('delete', 'namespace', 'room', '--timeout=30s')
    expect(await printed('get', 'pods,configmaps,secrets', '-n', 'room', '-o', 'name')).toBe('')
  })

  test('speaks TLS with a server that has a certificate, and then no address has the token', async () => {
    await using own = await startApiLab({kubelet: false, certificate: selfSigned(systemClock.now(), randomBytes)})
    const home = join(folder, 'tls')
    await mkdir(home)
    const ask = kubectlAt(await binary(), await own.kubeconfig(home), home)
    expect(await ask(['get', 'nodes', '-o', 'name'])).toMatchObject({code: 0, out: 'node/lab'})
    const {out} = await ask(['config', 'view', '-o', 'jsonpath={.clusters[0].cluster.server}'])
    expect(out).toBe(own.endpoint.url)
    expect(out).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
    await own[Symbol.asyncDispose]()
    await using other = await startApiLab({
      kubelet: false,
      certificate: selfSigned(systemClock.now(), randomBytes),
      tcpPort: Number(new URL(out).port),
    })
    expect(other.endpoint.url).toBe(out)
    expect((await ask(['get', 'nodes'])).err).toMatch(/certificate signed by unknown authority|x509/)
  })
})
