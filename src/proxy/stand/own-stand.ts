// On a path or a port of its own, which clients are pointed at.
import {addressText, parseProxyAddress} from '../listen/proxy-address.ts'
import {type ProxyOptions, serveProxy} from '../serve-proxy.ts'
import {mustListen} from './must-listen.ts'
import {momentOf, type Stand} from './stand.ts'

/** It listens when this resolves. @throws UserError */
export async function ownStand(options: ProxyOptions): Promise<Stand> {
  const {upstream} = options
  await mustListen(upstream, '--upstream')
  const proxy = await serveProxy(options)
  return {
    proxy,
    since: momentOf(options.clock),
    upstream: addressText(parseProxyAddress(upstream, '--upstream')),
    over: new Promise(() => undefined),
    leave: async () => proxy.underWay,
    [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose](),
  }
}
