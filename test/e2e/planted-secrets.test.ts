// Secrets are planted in everything that kubelimbo reads; then every byte that it wrote is searched for them. No root is needed.
import {mkdirSync, writeFileSync} from 'node:fs'
import {request} from 'node:http'
import {join} from 'node:path'
import {create, type DescMessage, type MessageShape, toBinary} from '@bufbuild/protobuf'
import {Code, ConnectError, createClient} from '@connectrpc/connect'
import {expect, onTestFinished, test} from 'vitest'
import {systemClock} from '../../src/base/clock.ts'
import {openChannel} from '../../src/wire/channel.ts'
import * as cri from '../../src/wire/gen/cri_pb.ts'
import * as csi from '../../src/wire/gen/csi_pb.ts'
import {serveGrpc} from '../../src/wire/serve-grpc.ts'
import {capabilityOf} from '../support/csi-caller.ts'
import {kubelimbo, start} from '../support/kubelimbo.ts'
import {plantedNode} from '../support/planted-node.ts'
import {filesBelow, foundBelow, foundIn, type Garden, garden} from '../support/planted-secrets.ts'
import {tempDir} from '../support/socket-dir.ts'
import {until} from '../support/until.ts'

/** What must be in the binary: a command of these that is missing is no reason to look at less. */
const mustHave: readonly string[] = ['check', 'diff', 'inject', 'record', 'replay', 'snapshot', 'trace', 'volumes', 'why']

const has = async (command: string) => (await kubelimbo([command, '--help'])).exitCode === 0
const there = new Set<string>()
for (const command of mustHave) if (await has(command)) there.add(command)

test('the planted secrets are looked for in what all commands write that there must be', () => {
  expect(mustHave.filter((command) => !there.has(command))).toEqual([])
})

/** Folders of a test: what is read, what is written, and what was read as it is. */
function folders() {
  const top = tempDir()
  const [node, out, sources] = ['node', 'out', 'src'].map((name) => join(top, name)) as [string, string, string]
  for (const folder of [node, out, sources]) mkdirSync(folder)
  return {node, out, sources}
}

/** Serves the file, and shows it to a command, while its folder is searched. */
async function replayed(file: string, out: string, {planted}: Garden, look: (root: string) => Promise<void>) {
  const child = start(['replay', file, '--dir', join(out, 'replay'), '--for', '1m', '-o', 'json'])
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  child.stdout.on('data', (data) => (said += data))
  await until(async () => expect(said).toMatch(/\}\n$/), 300, 50).catch(async () => {
    child.kill()
    throw new Error((await child).stderr)
  })
  const root = JSON.parse(said).root as string
  expect(filesBelow(root).size).toBeGreaterThan(0)
  await look(root)
  expect(foundBelow(out, planted)).toEqual([])
  child.kill('SIGINT')
  const {stdout, stderr} = await child
  writeFileSync(join(out, 'replay.txt'), `${stdout}\n${stderr}`)
}

/** All that was planted is in the sources, so that the search would find it; and none of it in what was written. */
function expectNone(out: string, sources: string, {planted}: Garden) {
  const foundHere = foundBelow(sources, planted).map((found) => found.replace(/ in .*/, ''))
  expect([...new Set(foundHere)].sort()).toEqual(planted.map(({place}) => place).sort())
  expect(foundBelow(out, planted)).toEqual([])
}

test('snapshot and whatever looks at a node or at its bundle write no secret', async () => {
  const {node, out, sources} = folders()
  const secrets = garden()
  const {flags} = await plantedNode(node, sources, secrets)
  const env = {NODE_NAME: 'n1'}
  const bundle = join(out, 'node.tar.gz')
  const run = async (name: string, args: readonly string[], exitCodes: readonly number[]) => {
    const {stdout, stderr, exitCode} = await kubelimbo(args, env)
    writeFileSync(join(out, `${name}.txt`), `${stdout}\n${stderr}`)
    expect(exitCodes, `${name}: ${stderr}`).toContain(exitCode)
    return stdout
  }
  await run('snapshot', ['snapshot', bundle, ...flags], [0])
  for (const [name, from] of [
    ['live', flags],
    ['bundle', ['--from', bundle]],
  ] as const) {
    for (const output of ['table', 'json'])
      await run(`check ${output} ${name}`, ['check', ...from, '-o', output, ...(name === 'live' ? ['--once'] : [])], [0, 1, 3])
    await run(`why ${name}`, ['why', 'default/web-0', ...from, '-o', 'json'], [0, 1, 3])
    await run(`volumes ${name}`, ['volumes', ...from, '-o', 'json'], [0, 3])
    await run(`drivers ${name}`, ['drivers', ...from, '-o', 'json'], [0, 3])
  }
  await run('doctor', ['doctor', ...flags, '-o', 'json'], [0, 1, 3])
  await run('diff', ['diff', bundle, ...flags, '-o', 'json'], [0, 1])
  // What is written as it is read would be found: a folder that nobody has redacted is not the bundle's.
  mkdirSync(join(out, 'other'))
  writeFileSync(
    join(out, 'other/bundle.json'),
    JSON.stringify({
      apiVersion: 'kubelimbo/v1',
      kind: 'NodeBundle',
      metadata: {node: 'n1', when: '2026-11-30T03:11:04Z'},
      kubelet: {root: join(node, 'kubelet')},
      readings: {'kernel.mounts': {state: 'read', file: 'm'}, 'api.pods': {state: 'read', file: 'p'}},
    }),
  )
  writeFileSync(join(out, 'other/m'), '27 1 254:0 / / rw shared:1 - ext4 /dev/vda rw\n')
  writeFileSync(join(out, 'other/p'), '{"kind":"PodList","items":[]}')
  const appeared = await run('diff with what appeared', ['diff', join(out, 'other'), ...flags, '-o', 'json'], [1])
  await run('diff as a table', ['diff', join(out, 'other'), ...flags], [1])

  await replayed(bundle, out, secrets, async (root) => {
    await run('check of the replay', ['check', '--host-root', root, '-o', 'json', '--once'], [0, 1, 3])
    await run('pods of the replay', ['pods', '--host-root', root, '-v'], [0, 2, 3])
  })

  // The bundle has what they were in, and a mark in their place.
  const text = [...filesBelow(out)].find(([name]) => name === 'node.tar.gz, unpacked')?.[1].toString() ?? ''
  for (const kept of [
    'DB_PASSWORD',
    'planted-line',
    'planted-json',
    'password=[redacted]',
    'vol-planted',
    'FailedMount',
    'example.com/db-password',
  ])
    expect(text).toContain(kept)
  expect(appeared).toContain('password=[redacted]')
  expectNone(out, sources, secrets)
}, 120_000)

/** A CSI driver and a runtime behind one socket each, whose errors repeat what they were told. */
async function servers(folder: string, {plain}: Garden, sources: string) {
  const complaint = (place: string) => {
    const message = `mount -t cifs -o username=u,password=${plain(place)} //s/s /mnt: permission denied`
    writeFileSync(join(sources, `${place}.txt`), message)
    return new ConnectError(message, Code.Internal)
  }
  const driver = await serveGrpc({
    path: join(folder, 'csi-real.sock'),
    routes: (router) =>
      void router.service(csi.Node, {
        nodeStageVolume: () => ({}),
        nodePublishVolume: () => {
          throw complaint('error of NodePublishVolume')
        },
      }),
  })
  const runtime = await serveGrpc({
    path: join(folder, 'cri-real.sock'),
    routes: (router) => {
      router.service(cri.RuntimeService, {
        runPodSandbox: () => ({podSandboxId: 'sandbox1'}),
        createContainer: () => ({containerId: 'container1'}),
      })
      router.service(cri.ImageService, {
        pullImage: () => {
          throw complaint('error of PullImage')
        },
      })
    },
  })
  onTestFinished(async () => {
    await driver[Symbol.asyncDispose]()
    await runtime[Symbol.asyncDispose]()
  })
  return {driver: driver.path, runtime: runtime.path}
}

/** The calls of a kubelet with secrets in every field that may have one, by whatever stands before the servers. */
async function calls(paths: {readonly driver: string; readonly runtime: string}, {plain, awkward}: Garden, sources: string) {
  const sent = <Schema extends DescMessage>(schema: Schema, message: MessageShape<Schema>) => {
    writeFileSync(join(sources, `${schema.name}.bin`), toBinary(schema, message))
    return message
  }
  const channelTo = async (path: string) => {
    const channel = await openChannel({path, clock: systemClock, connectTimeoutMs: 5000, callTimeoutMs: 5000}, 2 ** 22)
    onTestFinished(() => channel[Symbol.dispose]())
    return channel.transport
  }
  const [toDriver, toRuntime] = [await channelTo(paths.driver), await channelTo(paths.runtime)]
  const node = createClient(csi.Node, toDriver)
  const runtime = createClient(cri.RuntimeService, toRuntime)
  const images = createClient(cri.ImageService, toRuntime)
  await node.nodeStageVolume(
    sent(
      csi.NodeStageVolumeRequestSchema,
      create(csi.NodeStageVolumeRequestSchema, {
        volumeId: 'vol-planted',
        stagingTargetPath: '/staging',
        volumeCapability: capabilityOf('mount'),
        secrets: {anything: awkward('stage: secrets'), userID: plain('stage: secrets with a name that does not tell')},
        volumeContext: {shape: 'round', password: awkward('stage: volume context')},
        publishContext: {accessKey: plain('stage: publish context')},
      }),
    ),
  )
  const publish = node.nodePublishVolume(
    sent(
      csi.NodePublishVolumeRequestSchema,
      create(csi.NodePublishVolumeRequestSchema, {
        volumeId: 'vol-planted',
        targetPath: '/target',
        volumeCapability: {accessType: {case: 'mount', value: {mountFlags: [`password=${plain('publish: mount flag')}`]}}},
        secrets: {anything: awkward('publish: secrets')},
        volumeContext: {'csi.storage.k8s.io/serviceAccount.tokens': JSON.stringify({'': {token: plain('publish: service account token')}})},
      }),
    ),
  )
  await expect(publish).rejects.toThrow('permission denied')
  const annotations = (place: string) => ({
    'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({env: awkward(`${place}: last applied`)}),
    'example.com/token': plain(`${place}: annotation`),
  })
  const config = {metadata: {name: 'web-0', namespace: 'default', uid: 'u1', attempt: 0}, annotations: annotations('sandbox')}
  await runtime.runPodSandbox(sent(cri.RunPodSandboxRequestSchema, create(cri.RunPodSandboxRequestSchema, {config})))
  await runtime.createContainer(
    sent(
      cri.CreateContainerRequestSchema,
      create(cri.CreateContainerRequestSchema, {
        podSandboxId: 'sandbox1',
        config: {
          metadata: {name: 'main', attempt: 0},
          image: {image: 'busybox'},
          args: [`--password=${plain('container: argument')}`],
          envs: [{key: 'DB', value: new TextEncoder().encode(awkward('container: env'))}],
          annotations: annotations('container'),
        },
      }),
    ),
  )
  const pull = images.pullImage(
    sent(
      cri.PullImageRequestSchema,
      create(cri.PullImageRequestSchema, {
        image: {image: 'registry.example.com/planted-image'},
        auth: {
          username: 'u',
          password: awkward('pull: password'),
          auth: Buffer.from(`u:${plain('pull: auth')}`).toString('base64'),
          identityToken: plain('pull: identity token'),
          registryToken: plain('pull: registry token'),
        },
      }),
    ),
  )
  await expect(pull).rejects.toThrow('permission denied')
}

const got = (socketPath: string, path: string) =>
  new Promise<Buffer>((resolve, reject) => {
    const asked = request({socketPath, path}, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      // The calls come until the injector ends.
      response.on('close', () => resolve(Buffer.concat(parts)))
    })
    asked.on('error', reject)
    asked.end()
  })

test('inject with its control socket, and trace, write no secret of the calls', async () => {
  const {node, out, sources} = folders()
  const secrets = garden()
  const real = await servers(node, secrets, sources)
  const injecting = async (name: 'driver' | 'runtime') => {
    const [path, control] = [join(out, `${name}.sock`), join(out, name, 'c.sock')]
    const places = ['--listen', path, '--upstream', real[name]]
    const child = start([
      'inject',
      ...places,
      '--control',
      control,
      '--decode',
      '-o',
      'json',
      '--fault',
      'delay',
      '--delay',
      '1ms',
      '--for',
      '1m',
    ])
    onTestFinished(() => void child.kill('SIGKILL'))
    let said = ''
    child.stdout.on('data', (data) => (said += data))
    await until(async () => expect(said).toContain('InjectStarted'), 300, 50).catch(async () => {
      child.kill()
      throw new Error((await child).stderr)
    })
    return {name, path, control, child}
  }
  const injectors = [await injecting('driver'), await injecting('runtime')] as const
  const traces = injectors.flatMap(({name, control}) =>
    (['jsonl', 'table'] as const).map((output) => ({
      file: `trace ${name} ${output}`,
      child: start(['trace', '--control', control, '-o', output, '--ledger', '--for', '8s']),
    })),
  )
  await calls({driver: injectors[0].path, runtime: injectors[1].path}, secrets, sources)
  for (const {name, control} of injectors) {
    const asked = ['/v1', '/v1/rules', '/v1/paused', '/v1/ledger']
    for (const path of asked) writeFileSync(join(out, `${name}${path.replaceAll('/', '-')}`), await got(control, path))
  }
  const streamed = injectors.map(async ({name, control}) => writeFileSync(join(out, `${name}-calls`), await got(control, '/v1/calls')))
  for (const {file, child} of traces) {
    const {stdout, stderr, exitCode} = await child
    expect([file, exitCode]).toEqual([file, 0])
    writeFileSync(join(out, `${file}.txt`), `${stdout}\n${stderr}`)
  }
  for (const {name, child} of injectors) {
    child.kill('SIGINT')
    const {stdout, stderr} = await child
    writeFileSync(join(out, `inject ${name}.txt`), `${stdout}\n${stderr}`)
  }
  await Promise.all(streamed)

  // What they were in was seen, so that there was something to take out.
  const seen = (name: string) => filesBelow(out).get(name)?.toString() ?? ''
  for (const file of ['trace driver jsonl.txt', 'driver-calls'])
    for (const kept of ['NodeStageVolume', 'vol-planted', 'permission denied', 'password=[redacted]'])
      expect(seen(file), file).toContain(kept)
  expect(seen('trace driver table.txt')).toContain('vol-planted')
  for (const kept of ['PullImage', 'CreateContainer', 'permission denied']) expect(seen('trace runtime jsonl.txt')).toContain(kept)
  expectNone(out, sources, secrets)
}, 90_000)

test('trace by a proxy of its own writes no secret of the calls', async () => {
  const {node, out, sources} = folders()
  const secrets = garden()
  const real = await servers(node, secrets, sources)
  const paths = {driver: join(out, 'd.sock'), runtime: join(out, 'r.sock')}
  const children = (['driver', 'runtime'] as const).map((name) => {
    const child = start(['trace', '--listen', paths[name], '--upstream', real[name], '-o', 'jsonl', '--ledger', '--for', '1m'])
    onTestFinished(() => void child.kill('SIGKILL'))
    return {name, child}
  })
  await until(
    async () => expect(Object.values(paths).every((path) => filesBelow(out).has(`the name of ${path.slice(out.length + 1)}`))).toBe(true),
    300,
    50,
  )
  await calls(paths, secrets, sources)
  await systemClock.sleep(200)
  for (const {name, child} of children) {
    child.kill('SIGINT')
    const {stdout, stderr} = await child
    writeFileSync(join(out, `trace ${name}.txt`), `${stdout}\n${stderr}`)
    expect(stdout).toContain('permission denied')
  }
  expectNone(out, sources, secrets)
}, 90_000)

test('record writes no secret of the calls, whatever its file is served with', async () => {
  const {node, out, sources} = folders()
  const secrets = garden()
  const real = await servers(node, secrets, sources)
  const paths = {driver: join(out, 'd.sock'), runtime: join(out, 'r.sock')}
  const places = (['driver', 'runtime'] as const).flatMap((name) => ['--listen', paths[name], '--upstream', real[name]])
  const file = join(out, 'calls.jsonl')
  const child = start(['record', file, ...places, '--for', '1m', '-o', 'json'])
  onTestFinished(() => void child.kill('SIGKILL'))
  await until(
    async () => expect(Object.values(paths).every((path) => filesBelow(out).has(`the name of ${path.slice(out.length + 1)}`))).toBe(true),
    300,
    50,
  )
  await calls(paths, secrets, sources)
  await systemClock.sleep(500)
  child.kill('SIGINT')
  const {stdout, stderr} = await child
  writeFileSync(join(out, 'record.txt'), `${stdout}\n${stderr}`)
  const recording = filesBelow(out).get('calls.jsonl')?.toString() ?? ''
  for (const kept of ['NodeStageVolume', 'vol-planted', 'planted-image', 'CreateContainer', '[redacted]']) expect(recording).toContain(kept)
  await replayed(file, out, secrets, async () => undefined)
  expectNone(out, sources, secrets)
}, 90_000)

// The search itself: whatever form a secret has, it is found.
test.each([
  ['as it is', (secret: string) => `x${secret}y`],
  ['in JSON in JSON', (secret: string) => JSON.stringify(JSON.stringify({secret}))],
  ['in base64', (secret: string) => Buffer.from(secret).toString('base64')],
  ['in base64 behind one byte', (secret: string) => Buffer.from(`x${secret}yz`).toString('base64')],
  ['in base64 behind two bytes', (secret: string) => Buffer.from(`xy${secret}z`).toString('base64')],
  ['in base64url', (secret: string) => Buffer.from(`xyz${secret}`).toString('base64url')],
  ['in hexadecimal digits', (secret: string) => Buffer.from(secret).toString('hex')],
])('foundIn finds a secret %s', (_form, written) => {
  const secrets = garden()
  for (const secret of [secrets.plain('a'), secrets.awkward('a')])
    expect(foundIn('f', Buffer.from(written(secret)), secrets.planted)).toEqual(['a in f'])
  expect(foundIn('f', Buffer.from(written('nothing')), secrets.planted)).toEqual([])
})
