// The flags of a command line that make up a rule.

/** As they were given, under the names that the flags have. */
export interface RuleFlags {
  /** The fault's kind: 'hang-after-exec'. */
  readonly fault: string
  /** Of the rule; else that of its kind. */
  readonly name?: string

  readonly to?: string
  readonly service?: string
  readonly method?: string
  /** 'namespace/name', or a name in the namespace default. */
  readonly pod?: string
  readonly 'pod-uid'?: string
  readonly container?: string
  readonly pvc?: string
  /** 'volumeId=vol-1', each. */
  readonly request?: readonly string[]

  /** The n-th call alone: it stands for `skip` n-1 and `count` 1. */
  readonly nth?: string
  readonly skip?: string
  readonly every?: string
  readonly count?: string
  readonly per?: string
  readonly probability?: string
  readonly from?: string
  readonly until?: string

  /** Of error, exec-then-error and stream-cut. */
  readonly code?: string
  readonly message?: string
  /** 'google.rpc.ErrorInfo=BASE64', each. */
  readonly detail?: readonly string[]
  /** Of fake-success: JSON. */
  readonly response?: string
  /** Of drop-reply: stream or connection. */
  readonly scope?: string
  /** Of delay: before the server has the call. `before` is the same. */
  readonly delay?: string
  readonly before?: string
  /** Of delay: before the client has the answer. Of stream-cut and stream-stall: how many messages. */
  readonly after?: string
  readonly jitter?: string
  /** Of rewrite: 'reply:status.state=CONTAINER_UNKNOWN', 'request:readonly=true', each. */
  readonly set?: readonly string[]
  /** Of list-edit: the list's path, and what becomes of its entries: 'metadata.name=main', each; 'all' for all. */
  readonly list?: string
  readonly drop?: readonly string[]
  readonly duplicate?: readonly string[]
  /** The fields of one entry more, each; 'copy' for one as the first is. */
  readonly phantom?: readonly string[]
  readonly stale?: boolean
  /** Of pad: '16777217' or '16MiB'. */
  readonly bytes?: string
  /** Of throttle: bytes per second, '1000' or '1KiB'. */
  readonly rate?: string
}
