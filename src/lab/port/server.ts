// A service as its servers have it: one function a method.
import type {Methods} from '../../kubelet/port.ts'

/** Who asks, as a server knows them. */
export interface Caller {
  /** They have given up: their deadline passed, they cancelled, or their process ended. */
  readonly gone: boolean
  /** How long they wait from the moment of the call; Infinity when the server is not to know. */
  readonly timeoutMs: number
  /** Aborted when they give up. */
  readonly signal: AbortSignal
}

/** Refuses by throwing a CallFailure. */
export type Server<M extends Methods> = {
  readonly [Method in keyof M as string extends Method ? never : Method]: (
    request: M[Method]['request'],
    caller: Caller,
  ) => Promise<M[Method]['response']> | M[Method]['response']
}

/** The signal costs something, so only those who ask for it have one. */
export class PortCaller implements Caller {
  #gone = false
  #controller: AbortController | undefined
  readonly timeoutMs: number

  constructor(timeoutMs: number) {
    this.timeoutMs = timeoutMs
  }

  get gone(): boolean {
    return this.#gone
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#gone) this.#controller.abort()
    return this.#controller.signal
  }

  leave(reason: Error): void {
    this.#gone = true
    this.#controller?.abort(reason)
  }
}
