// What becomes of NodeStageVolume under each fault: the code that the caller has, and by its own log how often the driver did it.
import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {systemClock} from '../../../src/base/clock.ts'
import type {Fault} from '../../../src/faults/fault.ts'
import {type FaultParameters, faultOf} from '../../../src/faults/faults.ts'
import {serveProxy} from '../../../src/proxy/serve-proxy.ts'
import {Node} from '../../../src/wire/gen/csi_pb.ts'
import {capabilityOf} from '../../support/csi-caller.ts'
import {goCall} from '../../support/go-client.ts'
import {proxiedDriver, ruleOf} from '../../support/proxied-driver.ts'
import {until} from '../../support/until.ts'

interface Row {
  readonly kind: string
  readonly parameters?: FaultParameters
  readonly timeoutMs?: number
  readonly code: string
  /** In the driver's log, a moment later. */
  readonly done: number
  /** Milliseconds that the caller waited. */
  readonly atLeast?: number
  readonly atMost?: number
}

const rows: readonly Row[] = [
  {kind: 'hang-call', timeoutMs: 400, code: 'DeadlineExceeded', done: 0, atLeast: 400},
  {kind: 'hang-after-exec', timeoutMs: 400, code: 'DeadlineExceeded', done: 1, atLeast: 400},
  // As grpc-go reads INTERNAL_ERROR. The code that it reads as Unavailable, REFUSED_STREAM, it takes for leave to send the call again.
  {kind: 'drop-reply', code: 'Internal', done: 1},
  {kind: 'drop-reply', parameters: {scope: 'connection'}, code: 'Unavailable', done: 1},
  {kind: 'exec-then-error', parameters: {code: 'ABORTED', message: 'busy'}, code: 'Aborted', done: 1},
  {kind: 'error', parameters: {code: 'INTERNAL'}, code: 'Internal', done: 0},
  {kind: 'error', parameters: {code: 'RESOURCE_EXHAUSTED', message: 'full'}, code: 'ResourceExhausted', done: 0},
  {kind: 'fake-success', code: 'OK', done: 0},
  {kind: 'delay', parameters: {before: 300}, code: 'OK', done: 1, atLeast: 300},
  {kind: 'delay', parameters: {before: 600}, timeoutMs: 200, code: 'DeadlineExceeded', done: 0, atMost: 500},
  {kind: 'delay', parameters: {before: 100, after: 200, jitter: 200}, code: 'OK', done: 1, atLeast: 300},
  {kind: 'delay', parameters: {after: 600}, timeoutMs: 200, code: 'DeadlineExceeded', done: 1, atMost: 500},
  {kind: 'duplicate', code: 'OK', done: 2},
]

const named = ({kind, parameters = {}}: Row) => [kind, ...Object.entries(parameters).map(([name, value]) => `${name} ${value}`)].join(' ')

test.each(rows.map((row) => [named(row), row] as const))('serveProxy() %s', async (_, row) => {
  const fault: Fault = faultOf(row.kind, row.parameters)
  const {driver, stage} = await proxiedDriver(fault)
  const {code, message, ms} = await stage(row.timeoutMs)
  expect(code, message).toBe(row.code)
  // A sleep may end a millisecond early.
  expect(ms).toBeGreaterThanOrEqual((row.atLeast ?? 0) - 2)
  if (row.atMost !== undefined) expect(ms).toBeLessThan(row.atMost)
  const staged = () => driver.calls().filter((method) => method === 'NodeStageVolume').length
  if (row.done > 0) await until(async () => expect(staged()).toBe(row.done), 30)
  // A call that nobody should make has time to be made.
  await systemClock.sleep(row.done === 0 ? 500 : 100)
  expect(staged()).toBe(row.done)
  const state = await readFile(join(driver.state, 'state.json'), 'utf8').catch(() => '')
  expect(state.includes('/staging')).toBe(row.done > 0)
})

/** Kinds whose call goes on when its caller, and the connection with it, is gone. */
const outliving: readonly (readonly [string, FaultParameters])[] = [
  ['hang-after-exec', {}],
  ['drop-reply', {}],
  ['exec-then-error', {code: 'INTERNAL'}],
  ['delay', {after: 10}],
]

test.each(outliving)(
  'serveProxy() %s: a driver that is slower than the deadline of its caller stages all the same',
  async (kind, parameters) => {
    const {driver, folder, stagingPath, handle} = await proxiedDriver(faultOf('hang-call'), {method: 'GetPluginInfo'})
    const [slow, path] = [join(folder, 'slow'), join(folder, 'q')]
    const options = {seed: 1, clock: systemClock}
    const slowRules = [ruleOf(faultOf('delay', {before: 700}), {method: 'NodeStageVolume'})]
    await using _slow = await serveProxy({...options, listen: slow, upstream: driver.socket, rules: slowRules})
    await using _proxy = await serveProxy({
      ...options,
      listen: path,
      upstream: slow,
      rules: [ruleOf(faultOf(kind, parameters), {method: 'NodeStageVolume'})],
    })
    const request = {volumeId: handle, stagingTargetPath: stagingPath, volumeCapability: capabilityOf('mount')}
    const {code} = await goCall(path, Node.method.nodeStageVolume, request, {timeoutMs: 300})
    expect(code).toBe('DeadlineExceeded')
    expect(driver.calls()).toEqual([])
    await until(async () => expect(driver.calls()).toEqual(['NodeStageVolume']), 50)
  },
)
