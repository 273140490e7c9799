// A recording of the lab's runtime on real sockets, with secrets in all that it is asked: none of them is in the file.
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {createClient} from '@connectrpc/connect'
import {expect, onTestFinished, test} from 'vitest'
import {systemClock} from '../../../src/base/clock.ts'
import {labImage} from '../../../src/lab/runtime/images.ts'
import {readLines} from '../../../src/node/recorded/read-lines.ts'
import {readRecording} from '../../../src/node/recorded/recording.ts'
import {openLineFile} from '../../../src/proxy/recording/line-file.ts'
import {startRecorder} from '../../../src/proxy/recording/recorder.ts'
import {serveProxy} from '../../../src/proxy/serve-proxy.ts'
import {openChannel} from '../../../src/wire/channel.ts'
import {ImageService, RuntimeService} from '../../../src/wire/gen/cri_pb.ts'
import {codeOf} from '../../support/csi-caller.ts'
import {startLabClients} from '../../support/lab-clients.ts'
import {tempDir} from '../../support/socket-dir.ts'

const planted = 'pl4nted-v4lue'
const bytes = (text: string) => new TextEncoder().encode(text)

test('a recording of a runtime has no secret of its pods and registries, and stays what can be served again', async () => {
  await using clients = await startLabClients()
  const top = tempDir()
  const [listen, path] = [join(top, 'l.sock'), join(top, 'calls.jsonl')]
  const recorder = await startRecorder(await openLineFile(path), {
    apiVersion: 'kubelimbo/v1',
    kind: 'Recording',
    metadata: {node: 'n', when: '2026-11-30T03:11:04Z', tool: 't'},
  })
  const proxy = await serveProxy({
    listen,
    upstream: `unix://${clients.lab.path}`,
    rules: [],
    seed: 1,
    clock: systemClock,
    onMessages: (messages) => recorder.add('/run/cri.sock', messages),
  })
  onTestFinished(() => proxy[Symbol.asyncDispose]())
  const {transport, [Symbol.dispose]: close} = await openChannel(
    {path: listen, clock: systemClock, connectTimeoutMs: 5000, callTimeoutMs: 5000},
    2 ** 22,
  )
  const [runtime, images] = [createClient(RuntimeService, transport), createClient(ImageService, transport)]

  const annotations = {
    'kubectl.kubernetes.io/last-applied-configuration': `{"spec":{"containers":[{"env":[{"name":"A","value":"${planted}"}]}]}}`,
    'example.com/password': planted,
    'example.com/note': `{"token":"${planted}"}`,
  }
  const metadata = {name: 'web', namespace: 'default', uid: 'uid-web', attempt: 0}
  const sandboxConfig = {metadata, logDirectory: clients.folder, annotations, labels: {app: 'web', 'api-key': planted}}
  const auth = {username: 'u', password: planted, auth: planted, identityToken: planted, registryToken: planted}
  await codeOf(images.pullImage({image: {image: labImage}, auth, sandboxConfig}))
  const {podSandboxId} = await runtime.runPodSandbox({config: sandboxConfig})
  const config = {
    metadata: {name: 'web', attempt: 0},
    image: {image: labImage},
    envs: [{key: 'HARMLESS', value: bytes(planted)}],
    annotations,
  }
  const {containerId} = await runtime.createContainer({podSandboxId, config, sandboxConfig})
  await runtime.startContainer({containerId})
  await runtime.containerStatus({containerId, verbose: true})
  await runtime.podSandboxStatus({podSandboxId, verbose: true})
  await runtime.listContainers({})
  await codeOf(runtime.execSync({containerId, cmd: ['sh', '-c', `curl -u admin:${planted} http://x`]}))
  await codeOf(runtime.exec({containerId, cmd: ['sh', '--token', planted], stdout: true}))
  await codeOf(runtime.startContainer({containerId: `password=${planted}`}))
  close()
  await proxy[Symbol.asyncDispose]()
  const summary = await recorder.finish()

  const text = readFileSync(path, 'utf8')
  expect(text).not.toContain(planted)
  for (const each of [0, 1, 2])
    expect(text).not.toContain(
      Buffer.from(`${' '.repeat(each)}${planted}`)
        .toString('base64')
        .slice(4, -4),
    )
  const {calls, skipped} = await readRecording(readLines(path), path)
  expect(skipped).toBe(0)
  expect(summary).toMatchObject({calls: calls.length, missing: 0, unkept: {}})
  expect(calls.map(({method}) => method).slice(0, 7)).toEqual([
    'PullImage',
    'RunPodSandbox',
    'CreateContainer',
    'StartContainer',
    'ContainerStatus',
    'PodSandboxStatus',
    'ListContainers',
  ])
  const status = calls.find(({method}) => method === 'ContainerStatus')?.responses?.[0] as {
    readonly info?: Readonly<Record<string, string>>
  }
  // As crictl inspect prints it: JSON inside a text.
  for (const info of Object.values(status.info ?? {})) if (/^[[{]/.test(info)) expect(() => JSON.parse(info)).not.toThrow()
  expect(calls.find(({method}) => method === 'ListContainers')).toMatchObject({responses: [{containers: [{id: containerId}]}]})
  expect(Object.keys(summary.redactions)).toEqual(
    expect.arrayContaining(['secret field', 'environment value', 'last-applied-configuration', 'user and password', 'credential option']),
  )
}, 60_000)
