// What the suite of gRPC clients asks of a client, whatever library it is made with. Answers are plain data, so that two runs can be compared.

export interface CallOptions {
  /** A name that ends in -bin has base64 here. */
  readonly metadata?: Readonly<Record<string, string | readonly string[]>>
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

export interface Answer {
  /** 'OK', 'NOT_FOUND' */
  readonly code: string
  readonly message: string
  /** Only names that start with 'x-'. */
  readonly header: Readonly<Record<string, string>>
  readonly trailer: Readonly<Record<string, string>>
  readonly messages: readonly Uint8Array[]
  /** Of google.rpc.ErrorInfo. */
  readonly reasons: readonly string[]
}

export interface Conversation {
  send(message: Uint8Array): Promise<void>
  /** Undefined: the server said all. */
  receive(): Promise<Uint8Array | undefined>
  end(): void
  readonly outcome: Promise<Pick<Answer, 'code' | 'message'>>
}

export interface SuiteClient extends Disposable {
  unary(method: string, message: Uint8Array, options?: CallOptions): Promise<Answer>
  serverStream(method: string, message: Uint8Array, options?: CallOptions): Promise<Answer>
  clientStream(method: string, messages: readonly Uint8Array[], options?: CallOptions): Promise<Answer>
  bidi(method: string, options?: CallOptions): Conversation
}

export interface ClientSettings {
  readonly gzip?: boolean
  /** A call that no server has begun with is sent again, as gRPC has it; for the libraries that leave the choice. Default: no. */
  readonly sendsAgain?: boolean
  /** Milliseconds between PINGs, and until one that has no answer ends the connection. */
  readonly pings?: {readonly every: number; readonly timeout: number}
}

/** A client of its own connection. */
export type OpenClient = (path: string, settings?: ClientSettings) => SuiteClient
