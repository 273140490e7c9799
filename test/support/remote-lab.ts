// Scenarios on the lab's runtime as if it were a real one: on a socket, in real time.
import {mkdirSync} from 'node:fs'
import {join} from 'node:path'
import {onTestFinished} from 'vitest'
import {type Clock, systemClock} from '../../src/base/clock.ts'
import {seeded} from '../../src/base/dice.ts'
import type {ReproRequest} from '../../src/repro.ts'
import {type LabRuntime, startLabRuntime} from './lab-runtime.ts'
import {tempDir} from './socket-dir.ts'

export interface RemoteLab {
  readonly runtime: LabRuntime
  readonly temporary: string
  request(names: readonly string[], profiles: string): ReproRequest
  readonly stop: AbortController
}

/** Both the runtime and the kubelet have a time that goes that many times as fast. */
export async function startRemoteLab(scale = 50): Promise<RemoteLab> {
  const folder = tempDir()
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  const hurried: Clock = {now: systemClock.now, sleep: (ms, signal) => systemClock.sleep(ms / scale, signal)}
  const runtime = await startLabRuntime(join(folder, 'cri.sock'), hurried)
  onTestFinished(() => runtime[Symbol.asyncDispose]())
  const stop = new AbortController()
  const real = {
    runtimeEndpoint: `unix://${runtime.path}`,
    scale,
    clock: systemClock,
    temporary,
    uids: seeded(7),
    signal: stop.signal,
  }
  return {
    runtime,
    temporary,
    request: (names, profiles) => ({names, profiles, timelines: true, tool: 'kubelimbo 1.0.0', real}),
    stop,
  }
}
