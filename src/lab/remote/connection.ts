// One connection for all calls of a client, opened anew when it broke. Upstream: grpc-go's ClientConn
import type {Transport} from '@connectrpc/connect'
import {type Channel, openChannel} from '../../wire/channel.ts'
import {callFailure} from './call-failure.ts'
import type {CallTarget} from './call-within.ts'

export interface Connection extends Disposable {
  /** @throws RpcFailure when nobody listens */
  channel(): Promise<Channel>
}

/** How long grpc-go gives a server to say something. By the real clock: a machine that is busy is not a server that is silent. */
const connectTimeoutMs = 20_000

function dial({path, clock, onConnected}: CallTarget, maxMessageBytes: number): Promise<Channel> {
  // Each call has a deadline of its own.
  const callTimeoutMs = Number.POSITIVE_INFINITY
  return openChannel({path, clock: clock.real, connectTimeoutMs, callTimeoutMs, ...(onConnected && {onConnected})}, maxMessageBytes)
}

export function connection(target: CallTarget, maxMessageBytes: number): Connection {
  let opening: Promise<Channel> | undefined
  let current: Channel | undefined
  let over = false
  const open = async (): Promise<Channel> => {
    try {
      const channel = await dial(target, maxMessageBytes)
      if (over) channel[Symbol.dispose]()
      current = channel
      return channel
    } finally {
      opening = undefined
    }
  }
  return {
    channel: async () => {
      if (current?.isOpen()) return current
      opening ??= open()
      return opening
    },
    [Symbol.dispose]: () => {
      over = true
      current?.[Symbol.dispose]()
    },
  }
}

/** @throws CallFailure */
export async function callOver<T>(channel: Channel, path: string, work: (transport: Transport) => Promise<T>): Promise<T> {
  try {
    return await work(channel.transport)
  } catch (error) {
    throw callFailure(error, path, !channel.isOpen())
  }
}

/** Of a call that has a connection of its own. @throws CallFailure */
export async function callOnce<T>(target: CallTarget, maxMessageBytes: number, work: (transport: Transport) => Promise<T>): Promise<T> {
  const channel = await dial(target, maxMessageBytes)
  try {
    return await callOver(channel, target.path, work)
  } finally {
    channel.close()
    // One that says nothing more would hold it open, and us with it.
    void target.clock.real.sleep(closesWithin).then(() => channel[Symbol.dispose]())
  }
}

const closesWithin = 1000
