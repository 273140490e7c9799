// A service as its client sees it: methods that take a request and answer, or fail with a code.

/** A service by its methods: each takes a request and answers. */
export type Methods = Readonly<Record<string, {readonly request: object; readonly response: unknown}>>

export interface CallOptions {
  /** How long the caller waits: then it has DEADLINE_EXCEEDED, whatever the server goes on to do. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

/** One client of one service. Rejects with a CallFailure. */
export interface Port<M extends Methods> {
  call<Method extends keyof M & string>(method: Method, request: M[Method]['request'], options: CallOptions): Promise<M[Method]['response']>
}

/** A gRPC code, or the reason of an HTTP status: 'NotFound', 'Conflict'. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

export const isFailure = (error: unknown, code: string): boolean => error instanceof CallFailure && error.code === code
