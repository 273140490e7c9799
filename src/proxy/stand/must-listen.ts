// Whether somebody is there to stand before: more often than not the path is a wrong one.
import {firstLine, UserError} from '../../base/errors.ts'
import {exitCodes} from '../../base/exit-codes.ts'
import {dial} from '../listen/dial.ts'
import {isNoSocket} from '../listen/is-no-socket.ts'
import {addressText, hasFile, type ProxyAddress, parseProxyAddress} from '../listen/proxy-address.ts'

/** @throws UserError when nobody does */
export async function mustListen(upstream: string, flag: string): Promise<void> {
  const address = parseProxyAddress(upstream, flag)
  try {
    const socket = await dial(address)
    socket.destroy()
  } catch (error) {
    const {code = ''} = error as NodeJS.ErrnoException
    throw new UserError(
      `Cannot stand before ${addressText(address)} as somebody must listen there: ${isFile(address) ? 'what is there is no socket' : (reasons[code] ?? firstLine(error))}`,
      {
        hint: `start it first, or name another one with ${flag}`,
        exit: exitCodes.blind,
      },
    )
  }
}

const isFile = (address: ProxyAddress): boolean => hasFile(address) && isNoSocket(address.path)

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such socket',
  ECONNREFUSED: 'nobody does',
  EACCES: 'this user may not open it',
}
