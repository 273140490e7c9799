// A connection to whom the proxy stands before.
import {connect, type Socket} from 'node:net'
import {netOptions, type ProxyAddress} from './proxy-address.ts'

/** @throws the error of connect(2) */
export function dial(address: ProxyAddress, signal?: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({...netOptions(address), allowHalfOpen: true, noDelay: true, ...(signal && {signal})})
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      // What breaks it later is seen by its end, too.
      socket.on('error', () => undefined)
      resolve(socket)
    })
  })
}

export type Absence = 'refuse' | 'no-socket'

/** What a client would see of a server that is not there; undefined when the error says something else. */
export function absenceOf(error: unknown): Absence | undefined {
  const {code} = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'no-socket'
  return code === 'ECONNREFUSED' ? 'refuse' : undefined
}
