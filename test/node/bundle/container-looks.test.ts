import {readFileSync} from 'node:fs'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {containerLookLine, parseContainerLook} from '../../../src/node/bundle/container-looks.ts'
import {decoders} from '../../../src/node/bundle/decode.ts'
import {encoders} from '../../../src/node/bundle/encode.ts'
import {known, read} from '../../../src/node/reading.ts'
import type {CallOutcome} from '../../../src/node/runtime/answers.ts'
import type {ContainerLook, ProcessLook} from '../../../src/node/runtime/container-look.ts'
import {ContainerState} from '../../../src/wire/gen/cri_pb.ts'

const int64 = fc.bigInt({min: -(2n ** 63n), max: 2n ** 63n - 1n})
const filled = fc.string({minLength: 1})
const outcome: fc.Arbitrary<CallOutcome> = fc.oneof(
  fc.record({state: fc.constant('answered' as const), tookMs: fc.nat()}, {requiredKeys: ['state']}),
  fc.record({state: fc.constant('silent' as const), waitedMs: fc.nat()}),
  fc.record({
    state: fc.constant('failed' as const),
    kind: fc.constantFrom('answered' as const, 'lost' as const),
    code: fc.constantFrom('NOT_FOUND' as const, 'UNAVAILABLE' as const),
    why: fc.string(),
  }),
)
const process: fc.Arbitrary<ProcessLook> = fc.oneof(
  fc.constant({state: 'gone' as const}),
  fc.constant({state: 'zombie' as const}),
  fc.record({state: fc.constant('there' as const), startedAt: fc.nat(), containerId: fc.string()}, {requiredKeys: ['state', 'startedAt']}),
)
const {CONTAINER_CREATED, CONTAINER_RUNNING, CONTAINER_EXITED, CONTAINER_UNKNOWN} = ContainerState
const status = fc.record({
  state: fc.constantFrom(CONTAINER_CREATED, CONTAINER_RUNNING, CONTAINER_EXITED, CONTAINER_UNKNOWN),
  createdAt: int64,
  startedAt: int64,
  finishedAt: int64,
  exitCode: fc.integer(),
  reason: fc.string(),
})
const look: fc.Arbitrary<ContainerLook> = fc.record(
  {id: filled, outcome, status, pid: fc.nat().map((pid) => pid + 1), runtime: filled, process},
  {requiredKeys: ['id', 'outcome']},
)

test('what is written of a container is read again as it was', () => {
  fc.assert(
    fc.property(fc.array(look), (looks) => {
      const text = encoders['runtime.container-status'].text(read(looks)) ?? ''
      expect(decoders['runtime.container-status'](text, {when: 0})).toEqual(read(looks))
    }),
  )
})

test('nothing of the environment is written, as nothing of it is kept', () => {
  const secret = 'hunter2-4711'
  const line = {
    status: {id: 'a', state: 'CONTAINER_RUNNING', createdAt: '5', annotations: {secret}, labels: {secret}, message: secret},
    info: {
      pid: 7,
      runtimeType: 'r',
      config: {envs: [{key: 'P', value: secret}]},
      runtimeSpec: {process: {env: [`P=${secret}`], args: [secret]}},
    },
  }
  const kept = parseContainerLook(line)
  expect(JSON.stringify(kept && containerLookLine(kept))).not.toContain(secret)
})

describe('parseContainerLook() of what crictl inspect prints', () => {
  const captured = (node: string) =>
    known(decoders['runtime.container-status'](readFileSync(`fixtures/nodes/${node}/runtime/container-status.jsonl`, 'utf8'), {when: 0}))

  test('reads running containers of a real node', () => {
    expect(captured('healthy')).toEqual([
      {
        id: '5fe4f9f11786eeeb1f7e80059ce93743ce2d30bc8a37e5d98ce7206969945e6c',
        outcome: {state: 'answered'},
        status: {
          state: CONTAINER_RUNNING,
          createdAt: 1_796_007_371_083_486_888n,
          startedAt: 1_796_007_371_197_261_625n,
          finishedAt: 0n,
          exitCode: 0,
          reason: '',
        },
        pid: 2281,
        runtime: 'io.containerd.runc.v2',
      },
      expect.objectContaining({pid: 2208}),
    ])
  })

  test('reads one that never started, whose start containerd 1.6 dates to 1970', () => {
    const [bad] = captured('runtime-errors') ?? []
    expect(bad).toMatchObject({status: {state: CONTAINER_EXITED, startedAt: 0n, finishedAt: 1_796_007_633_153_161_539n, exitCode: 128}})
    expect(bad).not.toHaveProperty('pid')
  })

  test.each<[string, unknown, bigint]>([
    ['RFC 3339 with nanoseconds', '2026-11-30T02:56:11.083486888Z', 1_796_007_371_083_486_888n],
    ['RFC 3339 with tenths', '2026-11-30T02:56:11.5Z', 1_796_007_371_500_000_000n],
    ['RFC 3339 in another zone', '2026-11-30T03:56:11+01:00', 1_796_007_371_000_000_000n],
    ["Go's zero", '0001-01-01T00:00:00Z', 0n],
    ["Go's zero in nanoseconds, as a date", '1754-08-30T22:43:41.128654848Z', -6_795_364_578_871_345_152n],
    ["Go's zero in nanoseconds", '-6795364578871345152', -6_795_364_578_871_345_152n],
    ['nanoseconds', '1796007371083486888', 1_796_007_371_083_486_888n],
    ['a number', 5, 5n],
    ['seconds', '1796007371', 1_796_007_371n],
    ['nothing', undefined, 0n],
    ['null', null, 0n],
    ['a word', 'yesterday', 0n],
  ])('reads a moment: %s', (_what, createdAt, expected) => {
    expect(parseContainerLook({status: {id: 'a', createdAt}})?.status?.createdAt).toBe(expected)
  })

  test.each<[string, unknown, ContainerState]>([
    ['a name', 'CONTAINER_CREATED', CONTAINER_CREATED],
    ['a number', 1, CONTAINER_RUNNING],
    ['a state of a runtime newer than we are', 'CONTAINER_PAUSED', CONTAINER_UNKNOWN],
    ['a number beyond them', 9, CONTAINER_UNKNOWN],
    ['nothing', undefined, CONTAINER_UNKNOWN],
  ])('reads a state: %s', (_what, state, expected) => {
    expect(parseContainerLook({status: {id: 'a', state}})?.status?.state).toBe(expected)
  })

  test.each([undefined, null, 7, 'a', [], {}, {status: {}}, {status: 'x'}])('is none of %j', (value) => {
    expect(parseContainerLook(value)).toBe(undefined)
  })
})
