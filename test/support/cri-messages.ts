// Sandboxes and containers as tests need them.
import {create, type MessageInitShape} from '@bufbuild/protobuf'
import fc from 'fast-check'
import {
  type Container,
  ContainerSchema,
  type ContainerState,
  type PodSandbox,
  PodSandboxSchema,
  type PodSandboxState,
} from '../../src/wire/gen/cri_pb.ts'

export const sandbox = (init: MessageInitShape<typeof PodSandboxSchema> = {}): PodSandbox => create(PodSandboxSchema, init)
export const container = (init: MessageInitShape<typeof ContainerSchema> = {}): Container => create(ContainerSchema, init)

/** Every field set. */
export const fullSandbox = {
  id: '1f73f2d81bf98a3bd1c4b4a8a8e4d4fdf1aaf4bbd2c6f21de5a2fc1f0f9d3a55',
  metadata: {name: 'web-0', uid: '0e1b2c3d-1111-2222-3333-444455556666', namespace: 'default', attempt: 2},
  state: 1,
  createdAt: 1_764_471_064_123_456_789n,
  labels: {app: 'web', 'io.kubernetes.pod.uid': '0e1b2c3d-1111-2222-3333-444455556666'},
  annotations: {'kubernetes.io/config.source': 'api'},
  runtimeHandler: 'kata',
} as const

export const fullContainer = {
  id: '87d3992f84f74c4b0e6a3f3f1d9fc3bfc1a3a2a17a0f3c1c6e2b1f0d9a8b7c6d',
  podSandboxId: fullSandbox.id,
  metadata: {name: 'app', attempt: 3},
  image: {
    image: `sha256:${'a1'.repeat(32)}`,
    annotations: {a: 'b'},
    userSpecifiedImage: 'example.test/library/busybox:1.36',
    runtimeHandler: 'kata',
    imageRef: 'sha256:ref',
  },
  imageRef: `example.test/library/busybox@sha256:${'b2'.repeat(32)}`,
  state: 1,
  createdAt: 1_764_471_065_000_000_000n,
  labels: {
    'io.kubernetes.container.name': 'app',
    'io.kubernetes.pod.name': 'web-0',
    'io.kubernetes.pod.namespace': 'default',
    'io.kubernetes.pod.uid': '0e1b2c3d-1111-2222-3333-444455556666',
  },
  annotations: {'io.kubernetes.container.restartCount': '3'},
  imageId: `sha256:${'a1'.repeat(32)}`,
} as const

const id = fc.string({unit: fc.constantFrom(...'ab01'), minLength: 1, maxLength: 4})
const labels = fc.dictionary(fc.constantFrom('app', 'tier', '__proto__x'), fc.constantFrom('web', 'db'))

/** Some beyond the enum. */
const anyState = <State extends number>(max: number) => fc.integer({min: 0, max}).map((state) => state as State)

/** Few ids and labels, so that filters hit; states beyond the enum and missing metadata among them. */
export const anySandbox = fc
  .record({
    id,
    state: anyState<PodSandboxState>(3),
    labels,
    createdAt: fc.bigInt({min: -3n, max: 3n}),
    name: fc.option(fc.constantFrom('web-0', 'db-0')),
  })
  .map(({name, ...init}) => sandbox({...init, ...(name !== null && {metadata: {name, namespace: 'default'}})}))

export const anyContainer = fc
  .record({
    id,
    podSandboxId: id,
    state: anyState<ContainerState>(5),
    labels,
    createdAt: fc.bigInt({min: -3n, max: 3n}),
    name: fc.option(fc.constantFrom('app', 'init')),
  })
  .map(({name, ...init}) => container({...init, ...(name !== null && {metadata: {name}})}))
