// Clients under constant calls, which send nothing again but what gRPC itself does, while one proxy after the other is taken from under them.
import {join} from 'node:path'
import {execa} from 'execa'
import {describe, expect, onTestFinished, test} from 'vitest'
import {systemClock} from '../../../src/base/clock.ts'
import {delay} from '../../../src/faults/delay.ts'
import {serveProxy} from '../../../src/proxy/serve-proxy.ts'
import {builtPeers} from '../../support/built-peers.ts'
import {startOracle} from '../../support/oracle-server.ts'
import {tempDir} from '../../support/socket-dir.ts'
import {connectClient} from '../../support/suites/connect-client.ts'
import {grpcJs} from '../../support/suites/grpc-js-client.ts'
import type {OpenClient} from '../../support/suites/suite-client.ts'
import {giveBack, heldBeside, overPlace} from '../../support/taken-over.ts'

const drains = 200
const callers = 6

interface Told {
  readonly ok: number
  readonly errors: Readonly<Record<string, number>>
}

/** Calls until it is told to stop. */
type Load = (path: string) => () => Promise<Told>

const loadOf =
  (open: OpenClient): Load =>
  (path) => {
    const client = open(path, {sendsAgain: true})
    onTestFinished(() => client[Symbol.dispose]())
    const errors: Record<string, number> = {}
    let ok = 0
    let over = false
    const work = async (caller: number) => {
      for (let count = caller; !over; count++) {
        const message = Buffer.alloc((count * 7919) % 50_000)
        const streams = count % 5 === 0
        const {
          code,
          message: why,
          messages,
        } = streams
          ? await client.serverStream('Repeat', message.subarray(0, 500), {metadata: {'x-count': '30'}})
          : await client.unary('Unary', message)
        if (code === 'OK' && messages.length === (streams ? 30 : 1)) ok++
        else errors[`${code}: ${why}`] = (errors[`${code}: ${why}`] ?? 0) + 1
      }
    }
    const working = Array.from({length: callers}, (_, at) => work(at))
    return async () => {
      over = true
      await Promise.all(working)
      return {ok, errors}
    }
  }

const goLoad: Load = (path) => {
  const child = builtPeers('http2-oracle').then(([oracle = '']) => ({process: execa(oracle, ['load', path, `${callers}`])}))
  return async () => {
    const {process} = await child
    process.stdin.end()
    return JSON.parse((await process).stdout) as Told
  }
}

const loads: Readonly<Record<string, Load>> = {'@grpc/grpc-js': loadOf(grpcJs), connect: loadOf(connectClient), 'grpc-go': goLoad}

describe('drain()', () => {
  test.each(Object.entries(loads))('is not noticed by a client of %s under constant calls', async (name, load) => {
    const folder = tempDir()
    const path = join(folder, 's')
    await using server = await startOracle(name === 'grpc-go' ? 'serve-grpc' : 'serve-test', path)
    const upstream = await heldBeside(server.address)
    let taken = 0
    const take = () =>
      serveProxy({
        listen: path,
        upstream,
        placeFor: overPlace(path),
        // Frames that pass and calls that are taken, in turns.
        rules: taken++ % 2 === 0 ? [] : [{name: 'at once', match: {}, fault: delay(0, 1)}],
        seed: 1,
        clock: systemClock,
        onCall: () => {
          through += 1
        },
      })
    let through = 0
    let proxy = await take()
    const stop = load(path)
    await systemClock.sleep(300)
    for (let at = 0; at < drains; at++) {
      const last = proxy
      if (at + 1 < drains) proxy = await take()
      else await giveBack(upstream, path)
      const limit = AbortSignal.timeout(5000)
      await last.drain(limit)
      expect(limit.aborted).toBe(false)
      await last[Symbol.asyncDispose]()
      await systemClock.sleep((at * 37) % 23)
    }
    await systemClock.sleep(50)
    const {ok, errors} = await stop()
    expect(errors).toEqual({})
    expect(through).toBeGreaterThan(drains)
    expect(ok).toBeGreaterThan(through)
  })
})
