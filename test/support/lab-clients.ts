// The lab's runtime in a hurry, and its clients on the socket.
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {DescMessage, Message, MessageInitShape} from '@bufbuild/protobuf'
import {type Client, Code, ConnectError, createClient} from '@connectrpc/connect'
import {systemClock} from '../../src/base/clock.ts'
import {labImage} from '../../src/lab/runtime/images.ts'
import {openChannel} from '../../src/wire/channel.ts'
import {type CriClient, openCri} from '../../src/wire/cri-client.ts'
import {ImageService, RuntimeService} from '../../src/wire/gen/cri_pb.ts'
import type {ContainerConfigSchema, PodSandboxConfigSchema} from '../../src/wire/gen/cri-config_pb.ts'
import * as v1alpha2 from '../../src/wire/gen/cri-v1alpha2_pb.ts'
import {hurried, type LabRuntime, startLabRuntime} from './lab-runtime.ts'

/** Without the parts that are always the same here. */
type Config<Schema extends DescMessage> = Omit<Exclude<MessageInitShape<Schema>, Message>, 'metadata' | 'image' | '$typeName'>

export interface LabClients extends AsyncDisposable {
  readonly lab: LabRuntime
  /** For logs. */
  readonly folder: string
  readonly cri: CriClient
  readonly runtime: Client<typeof RuntimeService>
  readonly images: Client<typeof ImageService>
  readonly older: Client<typeof v1alpha2.RuntimeService>
  /** @returns the id */
  run(name: string, more?: Config<typeof PodSandboxConfigSchema>): Promise<string>
  running(name: string, more?: Config<typeof ContainerConfigSchema>): Promise<{sandbox: string; container: string}>
  create(podSandboxId: string, name: string, more?: Config<typeof ContainerConfigSchema>): Promise<string>
}

export async function startLabClients(): Promise<LabClients> {
  const folder = mkdtempSync(join(tmpdir(), 'kl-'))
  const lab = await startLabRuntime(join(folder, 's'), hurried)
  const options = {path: lab.path, clock: systemClock, connectTimeoutMs: 30_000, callTimeoutMs: 30_000}
  const channel = await openChannel(options, 1 << 24)
  const runtime = createClient(RuntimeService, channel.transport)
  const cri = await openCri(options)
  const clients: LabClients = {
    lab,
    folder,
    cri,
    runtime,
    images: createClient(ImageService, channel.transport),
    older: createClient(v1alpha2.RuntimeService, channel.transport),
    run: async (name, more) => {
      const metadata = {name, namespace: 'default', uid: `uid-${name}`, attempt: 0}
      return (await runtime.runPodSandbox({config: {metadata, logDirectory: folder, ...more}})).podSandboxId
    },
    create: async (podSandboxId, name, more) => {
      const config = {metadata: {name, attempt: 0}, image: {image: labImage}, ...more}
      return (await runtime.createContainer({podSandboxId, config, sandboxConfig: {logDirectory: folder}})).containerId
    },
    running: async (name, more) => {
      const sandbox = await clients.run(name)
      const container = await clients.create(sandbox, name, more)
      await runtime.startContainer({containerId: container})
      return {sandbox, container}
    },
    [Symbol.asyncDispose]: async () => {
      await cri[Symbol.asyncDispose]()
      channel[Symbol.dispose]()
      await lab[Symbol.asyncDispose]()
      rmSync(folder, {recursive: true, force: true})
    },
  }
  return clients
}

/** 'CODE: message' */
export async function refusal(call: Promise<unknown>): Promise<string> {
  try {
    return `no refusal: ${JSON.stringify(await call)}`
  } catch (error) {
    const {code, rawMessage} = ConnectError.from(error)
    return `${Code[code]}: ${rawMessage}`
  }
}
