import {create} from '@bufbuild/protobuf'
import {describe, expect, test} from 'vitest'
import {systemClock} from '../../../src/base/clock.ts'
import {type AskOptions, askContainers, inOrderOfDoubt} from '../../../src/node/runtime/ask-containers.ts'
import type {ProcessLook} from '../../../src/node/runtime/container-look.ts'
import type {CallOptions} from '../../../src/wire/channel.ts'
import {ContainerState, type ContainerStatusResponse, ContainerStatusResponseSchema} from '../../../src/wire/gen/cri_pb.ts'
import {RpcFailure} from '../../../src/wire/rpc-failure.ts'
import {container} from '../../support/cri-messages.ts'
import {manualClock} from '../../support/manual-clock.ts'

const {CONTAINER_CREATED, CONTAINER_RUNNING, CONTAINER_EXITED, CONTAINER_UNKNOWN} = ContainerState
const ids = (...names: string[]) => names.map((id) => ({id}))
const gone: ProcessLook = {state: 'gone'}
const own = (containerId: string): ProcessLook => ({state: 'there', startedAt: 1, containerId})

function says(id: string, state: ContainerState, info: object = {pid: 7, runtimeType: 'io.containerd.runc.v2'}): ContainerStatusResponse {
  const status = {id, state, createdAt: 5n, startedAt: 6n, finishedAt: 0n, exitCode: 0, reason: 'r', message: 'secret'}
  return create(ContainerStatusResponseSchema, {status, info: {info: JSON.stringify(info)}})
}

type Answer = (id: string, turn: number, options: CallOptions) => ContainerStatusResponse | Promise<ContainerStatusResponse>

function clientOf(answer: Answer) {
  const asked: string[] = []
  const containerStatus = async (id: string, options: CallOptions = {}) => {
    asked.push(id)
    return answer(id, asked.filter((each) => each === id).length, options)
  }
  return {asked, containerStatus}
}

function options(more: Partial<AskOptions> = {}): AskOptions {
  return {clock: systemClock, signal: new AbortController().signal, deadlineMs: 1000, until: Number.MAX_SAFE_INTEGER, ...more}
}

describe('askContainers()', () => {
  test('keeps the status, the pid and the runtime of what a verbose answer says, and nothing else of it', async () => {
    const envs = [{key: 'PASSWORD', value: 'hunter2'}]
    const info = {pid: 7, runtimeType: 'io.containerd.runc.v2', config: {envs}, runtimeSpec: {process: {env: ['PASSWORD=hunter2']}}}
    const reading = await askContainers(
      clientOf((id) => says(id, CONTAINER_RUNNING, info)),
      ids('a'),
      options({lookAtProcess: () => own('a')}),
    )
    expect(reading).toEqual({
      state: 'read',
      value: [
        {
          id: 'a',
          outcome: {state: 'answered', tookMs: expect.any(Number)},
          status: {state: CONTAINER_RUNNING, createdAt: 5n, startedAt: 6n, finishedAt: 0n, exitCode: 0, reason: 'r'},
          pid: 7,
          runtime: 'io.containerd.runc.v2',
          process: {state: 'there', startedAt: 1, containerId: 'a'},
        },
      ],
    })
  })

  test('gives them in the order in which they were asked for, whoever answers first', async () => {
    const late = Promise.withResolvers<void>()
    const client = clientOf(async (id) => {
      if (id === 'a') await late.promise
      else late.resolve()
      return says(id, CONTAINER_EXITED)
    })
    const reading = await askContainers(client, ids('a', 'b', 'c'), options())
    expect(reading.state === 'read' && reading.value.map(({id}) => id)).toEqual(['a', 'b', 'c'])
  })

  test.each<[string, ContainerState, ProcessLook | undefined, number]>([
    ['whose process is its own', CONTAINER_RUNNING, own('a'), 1],
    ['whose process tells of no container', CONTAINER_RUNNING, {state: 'there', startedAt: 1}, 1],
    ['whose process nobody may look at', CONTAINER_RUNNING, undefined, 1],
    ['whose process is gone', CONTAINER_RUNNING, gone, 2],
    ['whose process is a zombie', CONTAINER_RUNNING, {state: 'zombie'}, 2],
    ['whose pid is of another container', CONTAINER_RUNNING, own('b'), 2],
    ['that has ended', CONTAINER_EXITED, gone, 1],
    ['that was only created', CONTAINER_CREATED, gone, 1],
  ])('asks of one %s as often as it takes', async (_what, state, process, times) => {
    const client = clientOf((id) => says(id, state))
    await askContainers(client, ids('a'), options({lookAtProcess: () => process}))
    expect(client.asked).toHaveLength(times)
  })

  test('takes the second answer where a process ended between the two', async () => {
    const client = clientOf((id, turn) => says(id, turn === 1 ? CONTAINER_RUNNING : CONTAINER_EXITED))
    const reading = await askContainers(client, ids('a'), options({lookAtProcess: () => gone}))
    expect(reading).toMatchObject({value: [{status: {state: CONTAINER_EXITED}}]})
    expect(reading.state === 'read' && reading.value[0]).not.toHaveProperty('process')
  })

  test('asks again only after the moment that a runtime takes to write down an exit', async () => {
    const clock = manualClock()
    const client = clientOf((id) => says(id, CONTAINER_RUNNING))
    const reading = askContainers(client, ids('a'), options({clock, lookAtProcess: () => gone}))
    await clock.advance(249)
    expect(client.asked).toEqual(['a'])
    await clock.advance(1)
    await expect(reading).resolves.toMatchObject({value: [{process: gone}]})
  })

  test('tells of one that hangs how long it was waited for, of one that fails why, and of all others what they say', async () => {
    const clock = manualClock()
    const client = clientOf(async (id, _turn, {deadlineMs = 0}) => {
      if (id === 'a') await hang(clock, deadlineMs)
      if (id === 'b') throw new RpcFailure('NOT_FOUND', 'answered', 'not found')
      return says(id, CONTAINER_EXITED)
    })
    const reading = askContainers(client, ids('a', 'b', 'c'), options({clock}))
    await clock.advance(1000)
    expect(await reading).toMatchObject({
      state: 'read',
      value: [
        {id: 'a', outcome: {state: 'silent', waitedMs: 1000}},
        {id: 'b', outcome: {state: 'failed', kind: 'answered', code: 'NOT_FOUND', why: 'not found'}},
        {id: 'c', outcome: {state: 'answered', tookMs: 0}},
      ],
    })
  })

  test('has ended at the moment that it was given, though all hang, and says how many were not asked', async () => {
    const clock = manualClock()
    const client = clientOf(async (id, _turn, {deadlineMs = 0}) => {
      await hang(clock, deadlineMs)
      return says(id, CONTAINER_EXITED)
    })
    const names = Array.from({length: 40}, (_, index) => `c${index}`)
    const reading = askContainers(client, ids(...names), options({clock, until: 2500}))
    await clock.advance(2500)
    const {value, incomplete} = await known(reading)
    expect(incomplete).toBe('16 of 40 containers were not asked for their status')
    expect(value.map(({outcome}) => outcome)).toEqual([
      ...Array(16).fill({state: 'silent', waitedMs: 1000}),
      ...Array(8).fill({state: 'silent', waitedMs: 500}),
    ])
  })

  test('asks for no more than 500', async () => {
    const client = clientOf((id) => says(id, CONTAINER_EXITED))
    const {value, incomplete} = await known(askContainers(client, ids(...Array.from({length: 501}, (_, index) => `c${index}`)), options()))
    expect([value.length, incomplete]).toEqual([500, '1 of 501 containers were not asked for their status'])
  })

  test('ends with the reason of its signal', async () => {
    const reason = new Error('enough')
    const client = clientOf(() => {
      throw reason
    })
    await expect(askContainers(client, ids('a'), options({signal: AbortSignal.abort(reason)}))).rejects.toBe(reason)
  })

  test('has a look without a status where the answer has none', async () => {
    const client = clientOf(() => create(ContainerStatusResponseSchema, {}))
    const {value} = await known(askContainers(client, ids('a'), options({lookAtProcess: () => gone})))
    expect(value).toEqual([{id: 'a', outcome: {state: 'answered', tookMs: expect.any(Number)}}])
  })
})

async function hang(clock: ReturnType<typeof manualClock>, ms: number): Promise<never> {
  await clock.sleep(ms)
  throw new RpcFailure('DEADLINE_EXCEEDED', 'silent', `it has not answered ContainerStatus for ${ms}ms`)
}

async function known(reading: ReturnType<typeof askContainers>) {
  const found = await reading
  if (found.state !== 'read') throw new Error('it was not read')
  return found
}

describe('inOrderOfDoubt()', () => {
  const one = (id: string, state: ContainerState, createdAt = 0n, name = id) =>
    container({id, state, createdAt, metadata: {name, attempt: 0}, labels: {'io.kubernetes.pod.uid': 'u'}})
  const order = (...containers: ReturnType<typeof one>[]) => inOrderOfDoubt(containers, new Set(['alive'])).map(({id}) => id)

  test('has running ones without a living process first, then those that run, those in between, those that ended', () => {
    expect(
      order(
        one('ended', CONTAINER_EXITED),
        one('odd', CONTAINER_UNKNOWN),
        one('made', CONTAINER_CREATED),
        one('alive', CONTAINER_RUNNING),
        one('doubtful', CONTAINER_RUNNING),
      ),
    ).toEqual(['doubtful', 'alive', 'odd', 'made', 'ended'])
  })

  test('has the newest first among its like, and of each name the last one alone that ended', () => {
    expect(
      order(
        one('first', CONTAINER_EXITED, 1n, 'app'),
        one('third', CONTAINER_EXITED, 3n, 'app'),
        one('second', CONTAINER_EXITED, 2n, 'app'),
        one('other', CONTAINER_EXITED, 4n, 'side'),
      ),
    ).toEqual(['other', 'third'])
  })
})
