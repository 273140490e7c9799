// What a recording keeps of a message: each place that may hold a secret is found by reflection over the .proto files, so that a new one is covered on the day it comes.
import {create, type DescField, type DescMessage, fromJson, getOption, type JsonValue, type Message, toBinary} from '@bufbuild/protobuf'
import {type ReflectMessage, reflect} from '@bufbuild/protobuf/reflect'
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {redactedMessage} from '../../../src/node/recorded/redacted-message.ts'
import {knownMethods} from '../../../src/proxy/call/known-methods.ts'
import {
  ContainerStatusResponseSchema,
  CreateContainerRequestSchema,
  ExecResponseSchema,
  ExecSyncResponseSchema,
  PullImageRequestSchema,
} from '../../../src/wire/gen/cri_pb.ts'
import {
  CreateSnapshotResponseSchema,
  csi_secret as csiSecret,
  NodePublishVolumeRequestSchema,
  NodeStageVolumeRequestSchema,
} from '../../../src/wire/gen/csi_pb.ts'
import {filled} from '../../support/filled.ts'

function redacted(
  desc: DescMessage,
  message: Message,
): {readonly json: JsonValue; readonly text: string; readonly hits: Record<string, number>} {
  const hits: Record<string, number> = {}
  const json = redactedMessage(desc, message, (rule) => {
    hits[rule] = (hits[rule] ?? 0) + 1
    return '[redacted]'
  })
  return {json, text: JSON.stringify(json), hits}
}

const messages = new Map([...knownMethods()].flatMap(({input, output}) => [input, output]).map((desc) => [desc.typeName, desc]))

/** Each message that is in another, too. */
function reachable(): readonly DescMessage[] {
  const all = new Map<string, DescMessage>()
  const add = (desc: DescMessage) => {
    if (all.has(desc.typeName)) return
    all.set(desc.typeName, desc)
    for (const {message} of desc.fields) if (message !== undefined) add(message)
  }
  for (const desc of messages.values()) add(desc)
  return [...all.values()]
}

const isMarked = (field: DescField) => field.proto.options !== undefined && (field.proto.options.debugRedact || getOption(field, csiSecret))

const secretFields = reachable().flatMap((desc) =>
  desc.fields.filter(isMarked).map((field) => [`${desc.typeName}.${field.name}`, desc, field] as const),
)

const planted = 'pl4nted-v4lue'

test('redactedMessage: the .proto files mark what CSI and CRI call secret', () => {
  expect(secretFields.map(([name]) => name).toSorted()).toMatchInlineSnapshot(`
    [
      "csi.v1.ControllerExpandVolumeRequest.secrets",
      "csi.v1.ControllerModifyVolumeRequest.secrets",
      "csi.v1.ControllerPublishVolumeRequest.secrets",
      "csi.v1.ControllerUnpublishVolumeRequest.secrets",
      "csi.v1.CreateSnapshotRequest.secrets",
      "csi.v1.CreateVolumeRequest.secrets",
      "csi.v1.DeleteSnapshotRequest.secrets",
      "csi.v1.DeleteVolumeRequest.secrets",
      "csi.v1.ListSnapshotsRequest.secrets",
      "csi.v1.NodeExpandVolumeRequest.secrets",
      "csi.v1.NodePublishVolumeRequest.secrets",
      "csi.v1.NodeStageVolumeRequest.secrets",
      "csi.v1.ValidateVolumeCapabilitiesRequest.secrets",
      "runtime.v1.AuthConfig.auth",
      "runtime.v1.AuthConfig.identity_token",
      "runtime.v1.AuthConfig.password",
      "runtime.v1.AuthConfig.registry_token",
    ]
  `)
})

test.each(secretFields)('redactedMessage: %s is not in a line', (_name, desc, field) => {
  const message = reflect(desc)
  if (field.fieldKind === 'map') message.get(field).set('key', planted)
  else message.set(field, planted)
  const {text, hits} = redacted(desc, message.message)
  expect(text).not.toContain(planted)
  expect(text).toContain('[redacted]')
  expect(hits).toEqual({'secret field': 1})
})

test.each([...messages])(
  'redactedMessage: %s with all of its fields is protobuf JSON that can be read again, and the message stays as it was',
  (_name, desc) => {
    const message = timely(filled(desc, planted), desc)
    const before = toBinary(desc, message)
    const {json} = redacted(desc, message)
    expect(toBinary(desc, message)).toEqual(before)
    expect(() => fromJson(desc, json)).not.toThrow()
  },
)

/** filled() has moments that protobuf's JSON has no form for. */
function timely(message: Message, desc: DescMessage): Message {
  const adjust = (each: ReflectMessage): void => {
    for (const field of each.fields) {
      if (each.desc.typeName === 'google.protobuf.Timestamp') each.set(field, field.number === 1 ? 1_600_000_000n : 5)
      else if (field.fieldKind === 'message') adjust(each.get(field))
      else if (field.fieldKind === 'list' && field.listKind === 'message')
        for (const item of each.get(field)) adjust(item as ReflectMessage)
    }
  }
  const looked = reflect(desc, message)
  adjust(looked)
  return looked.message
}

test('redactedMessage: a moment that JSON has no form for is an error, not a wrong line', () => {
  const message = create(CreateSnapshotResponseSchema, {snapshot: {creationTime: {seconds: 1_600_000_000_123_456_789n}}})
  expect(() => redacted(CreateSnapshotResponseSchema, message)).toThrow('cannot encode')
})

/** Plants a secret wherever one may be: marked fields, the environment, values under a secret's name, and documents of JSON with all of these. */
function plant(message: ReflectMessage, secret: string, jsonly: boolean): void {
  for (const field of message.fields) {
    if (isMarked(field)) {
      if (field.fieldKind === 'map') message.get(field).set('anything', secret)
      else message.set(field, secret)
    } else if (field.fieldKind === 'map' && field.mapKind === 'scalar' && field.mapKey === 9 && field.scalar === 9) {
      message.get(field).set('csi.storage.k8s.io/serviceAccount.tokens', jsonly ? JSON.stringify({'': {token: secret}}) : secret)
      message.get(field).set('adminPassword', secret)
      message.get(field).set('kubectl.kubernetes.io/last-applied-configuration', JSON.stringify({spec: {env: [{value: secret}]}}))
      message.get(field).set('info', infoWith(secret))
    } else if (field.fieldKind === 'list' && field.listKind === 'scalar' && field.scalar === 9) {
      message.get(field).add('--password')
      message.get(field).add(secret)
      message.get(field).add(`vers=3,password=${secret}`)
      message.get(field).add(`--token=${secret}`)
    } else if (field.fieldKind === 'list' && field.listKind === 'message') {
      const item = reflect(field.message)
      plant(item, secret, jsonly)
      if (item.desc.typeName === 'runtime.v1.KeyValue') {
        item.set(item.fields[0] as DescField, 'HARMLESS')
        item.set(item.fields[1] as DescField, new TextEncoder().encode(secret))
      }
      message.get(field).add(item)
    } else if (field.fieldKind === 'message') {
      const inner = reflect(field.message)
      plant(inner, secret, jsonly)
      message.set(field, inner)
    } else if (field.fieldKind === 'scalar' && field.scalar === 9)
      message.set(field, `mount failed: -o username=u,password=${secret} //server/share`)
    else if (field.fieldKind === 'scalar' && field.scalar === 12) message.set(field, new TextEncoder().encode(`token: ${secret}`))
  }
}

function infoWith(secret: string): string {
  return JSON.stringify({
    pid: 7,
    config: {envs: [{key: 'A', value: secret}], annotations: {'kubectl.kubernetes.io/last-applied-configuration': secret}},
    runtimeSpec: {
      process: {env: [`A=${secret}`], args: ['sh', '--token', secret]},
      annotations: {'io.kubernetes.cri-o.Annotations': JSON.stringify({password: secret}), 'my-secret': secret},
    },
  })
}

test('redactedMessage: a message with secrets in all places has none of them in its line, whatever they are made of', () => {
  fc.assert(
    fc.property(fc.constantFrom(...messages.values()), fc.stringMatching(/^[A-Za-z0-9_]{12,40}$/), fc.boolean(), (desc, random, jsonly) => {
      const secret = `pl4${random}`
      const message = reflect(desc)
      plant(message, secret, jsonly)
      const {text} = redacted(desc, message.message)
      expect(text).not.toContain(secret)
      for (const base64 of text.match(/[A-Za-z0-9+/]{12,}={0,2}/g) ?? [])
        expect(Buffer.from(base64, 'base64').toString('latin1')).not.toContain(secret)
    }),
    {numRuns: 500},
  )
})

test('redactedMessage: values of the environment, and what a registry wants', () => {
  const {json, hits} = redacted(
    CreateContainerRequestSchema,
    create(CreateContainerRequestSchema, {
      config: {
        envs: [{key: 'HOME', value: new TextEncoder().encode('/root')}],
        args: ['serve', '--token', planted, '--port', '80'],
        labels: {app: 'web'},
        annotations: {'example.com/note': `{"a":{"password":"${planted}","n":9223372036854775807}}`},
      },
    }),
  )
  expect(json).toEqual({
    config: {
      envs: [{key: 'HOME', value: Buffer.from('[redacted]').toString('base64')}],
      args: ['serve', '--token', '[redacted]', '--port', '80'],
      labels: {app: 'web'},
      annotations: {'example.com/note': '{"a":{"password":"[redacted]","n":9223372036854775807}}'},
    },
  })
  expect(hits).toEqual({'environment value': 1, 'credential option': 1, 'secret field': 1})
  const auth = {
    username: 'u',
    password: planted,
    auth: planted,
    serverAddress: 'registry.example.com',
    identityToken: planted,
    registryToken: planted,
  }
  expect(redacted(PullImageRequestSchema, create(PullImageRequestSchema, {image: {image: 'a:1'}, auth})).json).toEqual({
    image: {image: 'a:1'},
    auth: {
      username: 'u',
      password: '[redacted]',
      auth: '[redacted]',
      serverAddress: 'registry.example.com',
      identityToken: '[redacted]',
      registryToken: '[redacted]',
    },
  })
})

test('redactedMessage: what a verbose status tells stays JSON, with all digits of its numbers', () => {
  const info = `{"pid":1234,"runtimeSpec":{"process":{"args":["sleep","1"],"env":["PATH=/bin","A=${planted}"]},"linux":{"resources":{"memory":{"limit":9223372036854771712}}}}}`
  const {json, hits} = redacted(ContainerStatusResponseSchema, create(ContainerStatusResponseSchema, {info: {info, other: '{ "a": 1 }'}}))
  expect(json).toEqual({
    info: {
      info: '{"pid":1234,"runtimeSpec":{"process":{"args":["sleep","1"],"env":["PATH=[redacted]","A=[redacted]"]},"linux":{"resources":{"memory":{"limit":9223372036854771712}}}}}',
      // Nothing had to be taken out: it is as it was.
      other: '{ "a": 1 }',
    },
  })
  expect(hits).toEqual({'environment value': 2})
})

test('redactedMessage: contexts and mount options of CSI', () => {
  const message = create(NodePublishVolumeRequestSchema, {
    volumeId: 'vol-1',
    publishContext: {devicePath: '/dev/xvdb', accessKey: planted},
    volumeContext: {share: '//server/share', 'csi.storage.k8s.io/serviceAccount.tokens': `{"aud":{"token":"${planted}"}}`},
    secrets: {harmless: planted},
    volumeCapability: {accessType: {case: 'mount', value: {fsType: 'ext4', mountFlags: ['ro', `password=${planted}`]}}},
  })
  expect(redacted(NodePublishVolumeRequestSchema, message)).toMatchObject({
    json: {
      volumeId: 'vol-1',
      publishContext: {devicePath: '/dev/xvdb', accessKey: '[redacted]'},
      volumeContext: {share: '//server/share', 'csi.storage.k8s.io/serviceAccount.tokens': '[redacted]'},
      secrets: {harmless: '[redacted]'},
      volumeCapability: {mount: {fsType: 'ext4', mountFlags: ['ro', 'password=[redacted]']}},
    },
    hits: {'secret field': 3, 'credential option': 1},
  })
})

test('redactedMessage: output of commands, and the URL of a stream, which whoever has it may use', () => {
  const bytes = (text: string) => new TextEncoder().encode(text)
  expect(
    redacted(
      ExecSyncResponseSchema,
      create(ExecSyncResponseSchema, {stdout: bytes(`password=${planted}`), stderr: new Uint8Array([255, 1])}),
    ).json,
  ).toEqual({
    stdout: Buffer.from('password=[redacted]').toString('base64'),
    stderr: Buffer.from('[redacted]').toString('base64'),
  })
  const url = create(ExecResponseSchema, {url: `http://127.0.0.1:39271/exec/${planted}`})
  expect(redacted(ExecResponseSchema, url)).toMatchObject({
    json: {url: 'http://127.0.0.1:39271/exec/[redacted]'},
    hits: {'streaming url': 1},
  })
})

test('redactedMessage: what the .proto does not have is dropped', () => {
  const unknown = [{no: 9999, wireType: 2, data: new TextEncoder().encode(`${String.fromCharCode(planted.length)}${planted}`)}]
  const message = create(NodeStageVolumeRequestSchema, {volumeId: 'v'})
  message.$unknown = unknown
  expect(toBinary(NodeStageVolumeRequestSchema, message).length).toBeGreaterThan(planted.length)
  expect(redacted(NodeStageVolumeRequestSchema, message).json).toEqual({volumeId: 'v'})
})
