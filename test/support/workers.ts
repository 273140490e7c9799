// Stat workers that are no processes: one that works, and ones that do what real ones do on a broken node.
import {PassThrough} from 'node:stream'
import type {Answer, Request} from '../../src/node/disk/protocol.ts'
import {serveStats} from '../../src/node/disk/serve.ts'
import type {WorkerProcess} from '../../src/node/disk/stat-worker.ts'

export interface FakeWorker extends WorkerProcess {
  readonly requests: readonly Request[]
  readonly killed: boolean
  readonly abandoned: boolean
  say(answer: Answer): void
  write(text: string): void
  end(why: string): void
}

export interface FakeBehaviour {
  /** Default: says hello at once. */
  readonly start?: 'silent'
  /** Default: dies when it is killed. */
  readonly undying?: boolean
  /** Default: never answers. */
  readonly answer?: (request: Request, worker: FakeWorker) => void
}

export function fakeWorker({start, undying = false, answer}: FakeBehaviour = {}): FakeWorker {
  type Told = Parameters<WorkerProcess['listen']>[0]
  const told = Promise.withResolvers<Told>()
  const tell = (call: (told: Told) => void) => void told.promise.then(call)
  const requests: Request[] = []
  const state = {killed: false, abandoned: false}
  const worker: FakeWorker = {
    requests,
    get killed() {
      return state.killed
    },
    get abandoned() {
      return state.abandoned
    },
    send(line) {
      const request = JSON.parse(line) as Request
      requests.push(request)
      answer?.(request, worker)
    },
    listen(listener) {
      told.resolve(listener)
      if (start !== 'silent') worker.say({hello: true})
    },
    kill() {
      state.killed = true
      if (!undying) worker.end('SIGKILL')
    },
    abandon() {
      state.abandoned = true
    },
    say: (said) => worker.write(JSON.stringify(said)),
    write: (text) => tell(({line}) => line(text)),
    end: (why) => tell(({end}) => end(why)),
  }
  return worker
}

/** Answers each question with one part. */
export const answering = (part: (request: Request) => unknown): FakeBehaviour => ({
  answer: (request, worker) => {
    worker.say({id: request.id, part: part(request)})
    worker.say({id: request.id, end: true})
  },
})

/** The real one's work in this process. @param before is told of each request; false: it is never answered. */
export function workerHere(before: (request: Request) => boolean = () => true): WorkerProcess {
  const input = new PassThrough()
  return {
    send: (line) => {
      if (before(JSON.parse(line) as Request)) input.write(`${line}\n`)
    },
    listen: ({line, end}) => {
      const work = serveStats(input, (text) => line(text.trimEnd()))
      void work.then(() => end('its input ended'))
    },
    kill: () => void input.end(),
    abandon: () => undefined,
  }
}
