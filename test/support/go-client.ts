// Calls by grpc-go, as a kubelet makes them: its codes and its words. By http2-oracle, the peer.
import {
  create,
  type DescMessage,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf'
import {execa} from 'execa'
import {builtPeers} from './built-peers.ts'

export interface GoAnswer<O extends DescMessage> {
  /** 'DeadlineExceeded' */
  readonly code: string
  readonly message: string
  readonly reply?: MessageShape<O>
  readonly ms: number
}

export interface GoCallOptions {
  /** Default: 3000. */
  readonly timeoutMs?: number | undefined
  /** Bytes of the largest answer that it takes; default: 64 MiB. */
  readonly most?: number
}

/** One call on a connection of its own, as a kubelet makes each to a driver. */
export async function goCall<I extends DescMessage, O extends DescMessage>(
  path: string,
  method: DescMethodUnary<I, O>,
  request: MessageInitShape<I>,
  {timeoutMs = 3000, most}: GoCallOptions = {},
): Promise<GoAnswer<O>> {
  const [oracle = ''] = await builtPeers('http2-oracle')
  const body = [Buffer.from(toBinary(method.input, create(method.input, request))).toString('base64')]
  const asked = {path: `/${method.parent.typeName}/${method.name}`, timeoutMs, most, fields: {}, trailers: {}, body}
  const {stdout} = await execa(oracle, ['call', path], {input: JSON.stringify(asked), maxBuffer: 2 ** 28})
  const {
    code,
    message = '',
    body: said,
    ms = 0,
  } = JSON.parse(stdout) as {code: string; message?: string; body?: readonly string[] | null; ms?: number}
  const [reply] = said ?? []
  return {code, message, ms, ...(reply === undefined ? {} : {reply: fromBinary(method.output, Buffer.from(reply, 'base64'))})}
}

export interface AskedAtOnce {
  /** '/runtime.v1.RuntimeService/ListContainers' */
  readonly path: string
  readonly message: Uint8Array
  /** Of `http2-oracle serve-grpc`: how often its answer has the message. */
  readonly times?: number
}

/** Calls at the same time on one connection, and what grpc-go has to say of it. */
export async function goCallsAtOnce(path: string, asked: readonly AskedAtOnce[]) {
  const [oracle = ''] = await builtPeers('http2-oracle')
  const lines = asked.map((one) => ({
    path: one.path,
    timeoutMs: 60_000,
    fields: one.times === undefined ? {} : {'x-times': `${one.times}`},
    trailers: {},
    body: [Buffer.from(one.message).toString('base64')],
    brief: true,
  }))
  const input = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  const {stdout, stderr} = await execa(oracle, ['call', path], {input, env: {GRPC_GO_LOG_SEVERITY_LEVEL: 'info'}})
  const answers = stdout.split('\n').map((line) => JSON.parse(line) as {code: string; bytes?: number})
  return {answers: answers.map(({code, bytes = 0}) => [code, bytes]), log: stderr}
}
