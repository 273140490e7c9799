import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {execThenError} from '../../src/faults/exec-then-error.ts'
import {builtPeers} from '../support/built-peers.ts'
import {type Crictl, crictlAt} from '../support/crictl.ts'
import {type LabRuntime, startLabRuntime} from '../support/lab-runtime.ts'

let folder: string
let runtime: LabRuntime
let crictl: Crictl
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'limbo-'))
  runtime = await startLabRuntime(join(folder, 'cri.sock'))
  const [binary = ''] = await builtPeers('crictl')
  crictl = crictlAt(binary, `unix://${runtime.path}`)
})
afterAll(async () => {
  await runtime?.[Symbol.asyncDispose]()
  await rm(folder, {recursive: true, force: true})
})

const file = (name: string, content: object): string => {
  const path = join(folder, name)
  writeFileSync(path, JSON.stringify(content))
  return path
}

const podFile = (name: string, more: object = {}): string => {
  mkdirSync(join(folder, name), {recursive: true})
  const metadata = {name, namespace: 'default', uid: `uid-${name}`, attempt: 0}
  return file(`${name}.json`, {
    metadata,
    labels: {app: name},
    annotations: {why: 'a test'},
    log_directory: join(folder, name),
    linux: {},
    ...more,
  })
}

const containerFile = (name: string, more: object = {}): string =>
  file(`${name}-container.json`, {
    metadata: {name, attempt: 3},
    image: {image: 'busybox'},
    command: ['sh', '-c', 'echo hello; sleep 1000'],
    log_path: `${name}.log`,
    labels: {tier: name},
    mounts: [{container_path: '/data', host_path: '/tmp'}],
    envs: [{key: 'TOKEN', value: 'hunter2'}],
    linux: {},
    ...more,
  })

const json = async ([verb = '', ...args]: readonly string[]): Promise<unknown> => JSON.parse(await crictl(verb, '-o', 'json', ...args))

test('crictl version and info know the runtime', async () => {
  expect(await crictl('version')).toMatch(/RuntimeName: {2}kubelimbo\n.*\nRuntimeApiVersion: {2}v1/)
  expect(JSON.parse(await crictl('info'))).toMatchObject({
    status: {
      conditions: [
        {type: 'RuntimeReady', status: true},
        {type: 'NetworkReady', status: true},
      ],
    },
  })
  expect(await crictl('runtime-config')).toContain('CGROUPFS')
})

test('crictl takes a pod from runp to rmp, and gets back what it gave', async () => {
  const pod = podFile('life')
  const id = await crictl('runp', pod)
  expect(await json(['pods'])).toMatchObject({items: [{id, metadata: {name: 'life'}, state: 'SANDBOX_READY', labels: {app: 'life'}}]})
  expect(await json(['inspectp', id])).toMatchObject({
    status: {id, annotations: {why: 'a test'}, network: {ip: '198.18.0.1'}, linux: {namespaces: {options: {network: 'POD'}}}},
  })
  await crictl('pull', 'busybox')
  const container = await crictl('create', id, containerFile('one'), pod)
  expect(await json(['ps', '-a'])).toMatchObject({containers: [{id: container, state: 'CONTAINER_CREATED', labels: {tier: 'one'}}]})
  await crictl('start', container)
  const inspected = await crictl('inspect', container.slice(0, 9))
  expect(JSON.parse(inspected)).toMatchObject({
    info: {sandboxID: id},
    status: {
      state: 'CONTAINER_RUNNING',
      metadata: {name: 'one', attempt: 3},
      image: {image: 'docker.io/library/busybox:latest'},
      mounts: [{containerPath: '/data', hostPath: '/tmp'}],
      logPath: join(folder, 'life', 'one.log'),
    },
  })
  expect(inspected).not.toContain('hunter2')
  await crictl('stop', container)
  expect(await json(['inspect', container])).toMatchObject({status: {state: 'CONTAINER_EXITED', exitCode: 137, reason: 'Error'}})
  await crictl('rm', container)
  expect(await json(['ps', '-a'])).toMatchObject({containers: []})
  await crictl('stopp', id)
  expect(await json(['pods', '-s', 'ready'])).toMatchObject({items: []})
  expect(await json(['inspectp', id])).toMatchObject({status: {state: 'SANDBOX_NOTREADY', network: {ip: ''}}})
  await crictl('rmp', id)
  expect(await json(['pods'])).toMatchObject({items: []})
})

test('crictl exec -s, logs and stats are about what a container does', async () => {
  const pod = podFile('talk')
  const id = await crictl('runp', pod)
  await crictl('pull', 'busybox')
  const container = await crictl('create', id, containerFile('says'), pod)
  await crictl('start', container)
  expect(await crictl('exec', '-s', container, 'echo', 'good', 'day')).toContain('good day')
  await expect(crictl('exec', '-s', container, 'false')).rejects.toThrow(/exit code 1|non-zero/)
  await expect(crictl('exec', container, 'echo')).rejects.toThrow(/no processes to stream to/)
  await expect.poll(() => crictl('logs', container)).toBe('hello')
  expect(readFileSync(join(folder, 'talk', 'says.log'), 'utf8')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z stdout F hello\n$/)
  expect(await json(['stats', '--seconds', '0'])).toMatchObject({stats: [{attributes: {id: container}}]})
  expect(await json(['statsp', '--seconds', '0'])).toMatchObject({
    stats: [{attributes: {id}, linux: {process: {processCount: {value: '1'}}}}],
  })
  await crictl('rmp', '-f', id)
  expect(await json(['ps', '-a'])).toMatchObject({containers: []})
})

test('crictl pull, images, inspecti and rmi are about images that several names have', async () => {
  await crictl('pull', 'quay.example/app:1')
  await crictl('pull', 'quay.example/app:2')
  const {images} = (await json(['images'])) as {images: {id: string; repoTags: string[]; pinned: boolean}[]}
  expect(images.map(({repoTags, pinned}) => [repoTags, pinned])).toEqual([
    [['docker.io/kubelimbo/lab:1'], true],
    ...(images.length === 3 ? [[['docker.io/library/busybox:latest'], false]] : []),
    [['quay.example/app:1', 'quay.example/app:2'], false],
  ])
  const id = images.at(-1)?.id ?? ''
  expect(await json(['inspecti', 'quay.example/app:2'])).toMatchObject({status: {id}})
  await crictl('rmi', id.slice('sha256:'.length, 20))
  await expect(crictl('inspecti', 'quay.example/app:1')).rejects.toThrow(/no such image/)
  await expect(crictl('pull', 'registry.invalid/x')).rejects.toThrow(/no such host/)
  expect(JSON.parse(await crictl('imagefsinfo'))).toMatchObject({status: {imageFilesystems: [{fsId: {mountpoint: expect.any(String)}}]}})
})

test('a rule of the lab is for crictl, too: a sandbox whose answer was lost has the labels that it was given', async () => {
  const rule = {
    name: 'lost',
    match: {to: 'cri', method: 'RunPodSandbox', pod: 'default/lost'},
    fault: execThenError('UNAVAILABLE', 'gone'),
  } as const
  runtime.rules.add(rule)
  await expect(crictl('runp', podFile('lost'))).rejects.toThrow(/Unavailable desc = gone/)
  const {items} = (await json(['pods'])) as {items: {id: string}[]}
  expect(items).toMatchObject([{metadata: {name: 'lost'}, labels: {app: 'lost'}, annotations: {why: 'a test'}}])
  const calls = runtime.timeline.events.filter((event) => event.kind === 'call' && event.pod === 'default/lost')
  expect(calls).toMatchObject([{method: 'RunPodSandbox', outcome: 'UNAVAILABLE', fault: 'lost'}])
  await crictl('rmp', '-f', items[0]?.id ?? '')
})
