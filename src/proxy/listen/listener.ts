// The proxy's side towards clients: it listens, or it is as a server is that does not.
import {once} from 'node:events'
import {rm} from 'node:fs/promises'
import {type AddressInfo, createServer, type Server, type Socket} from 'node:net'
import {firstLine, UserError} from '../../base/errors.ts'
import {exitCodes} from '../../base/exit-codes.ts'
import {oneByOne} from '../../base/one-by-one.ts'
import {backlog} from './backlog.ts'
import type {Absence} from './dial.ts'
import {deadSocketAt, refusal} from './free-place.ts'
import type {Place} from './place.ts'
import {addressText, hasFile, netOptions, type ProxyAddress} from './proxy-address.ts'
import {bindAt, bindDead, type FileIdentity, identityOf, sameFile} from './socket-file.ts'

export type ListenerState = 'open' | Absence

export interface Listener extends AsyncDisposable {
  /** With the port that it was given, where 0 was asked for. */
  readonly address: ProxyAddress
  /** One after the other, in the order of the calls. @throws UserError when somebody else has the place now */
  become(state: ListenerState): Promise<void>
}

export interface ListenerOptions {
  readonly address: ProxyAddress
  /** Of the socket's file. */
  readonly mode: number
  /** Nothing is read of it yet. */
  readonly onConnection: (socket: Socket) => void
  /** Instead of a place at the address: open when it resolves. */
  readonly placeFor?: ((serverFor: () => Server) => Promise<Place>) | undefined
}

/** It listens when this resolves. @throws UserError when something lives there */
export async function openListener(options: ListenerOptions): Promise<Listener> {
  const place = await openPlace(options)
  let state: ListenerState = 'open'
  const inTurn = oneByOne()
  return {
    get address() {
      return place.address
    },
    become: (next) =>
      inTurn(async () => {
        if (next === state) return
        if (next === 'open') await place.open()
        else await place.close(next)
        state = next
      }),
    [Symbol.asyncDispose]: () => inTurn(async () => place[Symbol.asyncDispose]()),
  }
}

async function openPlace(options: ListenerOptions): Promise<Place> {
  if (options.placeFor !== undefined) return options.placeFor(() => serverFor(options))
  const place = hasFile(options.address) ? new FilePlace(options, options.address.path) : new BarePlace(options)
  await place.open()
  return place
}

class FilePlace implements Place {
  readonly #options: ListenerOptions
  readonly #path: string
  #server: Server | undefined
  #file: FileIdentity | undefined

  constructor(options: ListenerOptions, path: string) {
    this.#options = options
    this.#path = path
  }

  get address(): ProxyAddress {
    return this.#options.address
  }

  async open(): Promise<void> {
    await deadSocketAt(this.#path)
    const server = serverFor(this.#options)
    this.#file = await bindAt(this.#path, server, this.#options.mode)
    this.#server = server
  }

  async close(as: Absence): Promise<void> {
    try {
      if (as === 'refuse') await this.#leaveFile()
      // As long as the socket is open its inode is nobody else's.
      else if (await this.#isOurs()) await rm(this.#path, {force: true})
    } catch (error) {
      if (error instanceof UserError) throw error
      throw new UserError(`Cannot take ${this.#path} away as its directory must be writable: ${firstLine(error)}`, {
        hint: 'remove it by hand: nobody listens there any more',
        exit: exitCodes.refused,
      })
    } finally {
      this.#server?.close()
      this.#server = undefined
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close('no-socket')
  }

  async #leaveFile(): Promise<void> {
    if (this.#server !== undefined || (await this.#isOurs())) return
    await deadSocketAt(this.#path)
    this.#file = await bindDead(this.#path, this.#options.mode)
  }

  async #isOurs(): Promise<boolean> {
    return sameFile(await identityOf(this.#path), this.#file)
  }
}

/** An abstract socket or a port: without a listener it is refused, there is nothing else. */
class BarePlace implements Place {
  address: ProxyAddress
  readonly #options: ListenerOptions
  #server: Server | undefined

  constructor(options: ListenerOptions) {
    this.#options = options
    this.address = options.address
  }

  async open(): Promise<void> {
    const server = serverFor(this.#options)
    try {
      server.listen({...netOptions(this.address), backlog})
      await once(server, 'listening')
    } catch (error) {
      const {code = ''} = error as NodeJS.ErrnoException
      throw refusal(addressText(this.address), reasons[code] ?? `this machine must let us: ${firstLine(error)}`, 'choose another one')
    }
    if (this.address.kind === 'tcp') this.address = {...this.address, port: (server.address() as AddressInfo).port}
    this.#server = server
  }

  async close(): Promise<void> {
    this.#server?.close()
    this.#server = undefined
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'nobody must listen there: somebody does',
  EACCES: 'this user must be allowed to: EACCES',
  EADDRNOTAVAIL: 'this machine must have that address: EADDRNOTAVAIL',
}

const serverFor = ({onConnection}: ListenerOptions): Server =>
  createServer({allowHalfOpen: true, noDelay: true, pauseOnConnect: true}, (socket) => {
    socket.on('error', () => undefined)
    onConnection(socket)
  })
