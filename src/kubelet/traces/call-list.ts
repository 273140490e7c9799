// The calls of a log while it is read, line by line. A call and its operation each log their beginning and their end: all four are about one call.
import type {CsiCall} from './csi-call.ts'
import type {LogStep} from './log-steps.ts'

/** An operation's line follows its call's line at once. */
const sameEndMs = 1000

export class CallList {
  readonly calls: CsiCall[] = []
  /** Of each volume: indexes of the calls that are open, and of the one that ended last. */
  readonly #open = new Map<string, number[]>()
  readonly #ended = new Map<string, number>()

  add(step: LogStep, at: number): void {
    const index = this.#openCall(step)
    const call = index === undefined ? undefined : this.calls[index]
    if (step.end.state === 'open') {
      // A call with a path of its own is another one, unless only its operation was known so far.
      if (call === undefined || (step.path !== undefined && call.path !== undefined)) this.#begin(step, at)
      else if (index !== undefined) this.calls[index] = {...call, ...partsOf(step)}
      return
    }
    if (call !== undefined && index !== undefined) {
      this.calls[index] = {...partsOf(step), ...call, end: step.end}
      for (const key of keysOf(this.calls[index] ?? call)) this.#ended.set(key, index)
      return
    }
    // A failure without a gRPC code and without a call is one of the kubelet's own, before any call.
    const early = step.end.state === 'failed' && step.end.code === undefined
    if (!early && !this.#isTold(step, at)) this.#begin(step, at)
  }

  #begin(step: LogStep, at: number): void {
    if (step.handle === undefined) return
    const call: CsiCall = {
      method: step.method,
      handle: step.handle,
      ...partsOf(step),
      startedAt: at,
      isBeginKnown: step.end.state === 'open',
      end: step.end,
    }
    const index = this.calls.push(call) - 1
    for (const key of keysOf(call)) {
      if (call.end.state !== 'open') this.#ended.set(key, index)
      else if (!this.#open.get(key)?.push(index)) this.#open.set(key, [index])
    }
  }

  /** The latest open call that the step can mean. */
  #openCall(step: LogStep): number | undefined {
    for (const key of keysOf(step)) {
      const still = (this.#open.get(key) ?? []).filter((index) => this.calls[index]?.end.state === 'open')
      this.#open.set(key, still)
      const found = still.findLast((index) => canMean(this.calls[index], step))
      if (found !== undefined) return found
    }
    return undefined
  }

  /** The call's own line has told of this end already. */
  #isTold(step: LogStep, at: number): boolean {
    return keysOf(step).some((key) => {
      const call = this.calls[this.#ended.get(key) ?? -1]
      return (
        call !== undefined && call.end.state === step.end.state && canMean(call, step) && 'at' in call.end && at - call.end.at <= sameEndMs
      )
    })
  }
}

function keysOf({method, path, handle}: Pick<LogStep, 'method' | 'path' | 'handle'>): readonly string[] {
  return [...(path === undefined ? [] : [`${method} path ${path}`]), ...(handle === undefined ? [] : [`${method} handle ${handle}`])]
}

function partsOf({driver, path, podUid}: LogStep): Pick<CsiCall, 'driver' | 'path' | 'podUid'> {
  return {...(driver !== undefined && {driver}), ...(path !== undefined && {path}), ...(podUid !== undefined && {podUid})}
}

function canMean(call: CsiCall | undefined, step: LogStep): boolean {
  return call !== undefined && agree(call.driver, step.driver) && agree(call.podUid, step.podUid)
}

export function agree(a: string | undefined, b: string | undefined): boolean {
  return a === undefined || b === undefined || a === b
}
