// Whether a socket may be taken over: it is what it seems to be, somebody listens there, and nobody else can put something in its place meanwhile.
import {type BigIntStats, constants} from 'node:fs'
import {access, lstat, readlink, realpath} from 'node:fs/promises'
import {basename, dirname, join} from 'node:path'
import {firstLine} from '../../base/errors.ts'
import type {Host} from '../../node/endpoints/host.ts'
import type {FileId} from '../../node/takeover/journal.ts'
import {absenceOf, dial} from '../listen/dial.ts'
import {controlPlaneSign} from './control-plane.ts'
import {foreignHands, isStranger} from './foreign-hands.ts'
import {journalId, mustBeFree} from './journal-file.ts'
import {mountedThere} from './mounted-there.ts'
import {heldName, sideName} from './names.ts'
import {refuse, unreachable} from './refuse.ts'

export interface MayTakeOverRequest {
  /** As parseTakenSocket() has it. */
  readonly socket: string
  readonly journals: string
  readonly uid: number
  /** On a node of the control plane, too. */
  readonly force: boolean
  readonly host: Host
  /** Where /proc is mounted. */
  readonly proc?: string
}

export interface SocketToTake {
  /** The links of its directory resolved. */
  readonly socket: string
  readonly directory: string
  readonly name: string
  /** As all of this was seen: what is there when the journal is written must be this one. */
  readonly original: FileId
}

/** Changes nothing. @throws UserError */
export async function mayTakeOver(request: MayTakeOverRequest): Promise<SocketToTake> {
  const {uid, journals, host, force, proc} = request
  const directory = await resolved(request.socket)
  const name = basename(request.socket)
  const socket = join(directory, name)
  // First, as a socket that was left behind looks like one that nobody listens on.
  mustBeFree(socket, journals, proc)
  const stat = await lookAt(socket)
  await mustBeFile(socket, stat)
  if (await mountedThere(socket, proc)) {
    throw refuse(
      socket,
      'it must be no mount point: it is one, and cannot be renamed',
      'take the socket over that is mounted there, at its own path',
    )
  }
  if (directory.split('/').includes('plugins_registry')) {
    throw refuse(
      socket,
      'it must not be in plugins_registry: without its registration socket the kubelet drops the driver, and takes it back in a higher version only',
      "take the driver's own socket over, below plugins",
    )
  }
  await mustBeInSafeHands(socket, directory, stat, uid)
  await mustBeNobodys(socket, directory)
  await mustListen(socket)
  const sign = force ? undefined : await controlPlaneSign(host)
  if (sign !== undefined) {
    throw refuse(
      socket,
      `this must be no node of the control plane: ${sign}`,
      'choose a worker, or say --force: a fault here can take the cluster down',
    )
  }
  return {socket, directory, name, original: fileId(stat)}
}

async function resolved(socket: string): Promise<string> {
  try {
    return await realpath(dirname(socket))
  } catch (error) {
    throw notFound(socket, error)
  }
}

async function lookAt(socket: string): Promise<BigIntStats> {
  try {
    return await lstat(socket, {bigint: true})
  } catch (error) {
    throw notFound(socket, error)
  }
}

function notFound(socket: string, error: unknown) {
  const {code} = error as NodeJS.ErrnoException
  const {why, hint} =
    code === 'ENOENT' || code === 'ENOTDIR'
      ? {why: 'it is not there', hint: 'kubelimbo endpoints and kubelimbo drivers show the sockets of this node'}
      : code === 'EACCES'
        ? {why: 'this user may not look there', hint: 'run it as root'}
        : {why: firstLine(error), hint: 'look at it with stat'}
  return unreachable(socket, `it must be a socket on which somebody listens: ${why}`, hint)
}

async function mustBeFile(socket: string, stat: BigIntStats): Promise<void> {
  if (stat.isSocket()) return
  if (!stat.isSymbolicLink()) {
    throw refuse(socket, `it must be a socket: it is ${stat.isDirectory() ? 'a directory' : 'a file that is none'}`, 'choose another path')
  }
  const target = await readlink(socket).catch(() => 'somewhere')
  // Ours would lie in the place of the link, and whoever knows the target would pass us by.
  throw refuse(socket, `it must be the socket itself: it is a link to ${target}`, `take over what it leads to: ${target}`)
}

async function mustBeInSafeHands(socket: string, directory: string, stat: BigIntStats, uid: number): Promise<void> {
  const hint = 'choose a socket of the system: somebody else could have put this one there'
  if (isStranger(Number(stat.uid), uid)) throw refuse(socket, `it must be root's or yours: it is one of user ${stat.uid}`, hint)
  const wrong = await foreignHands(directory, uid).catch((error: unknown) => {
    throw notFound(socket, error)
  })
  if (wrong !== undefined) throw refuse(socket, wrong, hint)
  await access(directory, constants.W_OK).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'EROFS' ? 'it is on a file system that is read-only' : 'this user may not'
    throw refuse(
      socket,
      `${directory} must be one to write in: ${why}`,
      error.code === 'EROFS' ? 'choose another socket' : 'run it as root',
    )
  })
}

/** Whoever keeps journals elsewhere has the same names. */
async function mustBeNobodys(socket: string, directory: string): Promise<void> {
  const id = journalId(socket)
  for (const name of [sideName(id), heldName(id)]) {
    const found = await lstat(join(directory, name)).catch(() => undefined)
    if (found === undefined) continue
    const hint = 'kubelimbo restore --journals DIR, with the folder of its journal'
    throw refuse(socket, `nobody else must have it: ${join(directory, name)} is there, which another takeover made`, hint)
  }
}

async function mustListen(socket: string): Promise<void> {
  try {
    const connection = await dial({kind: 'unix', path: socket})
    connection.destroy()
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException
    // So many wait for it to accept them that there is no room for one more.
    if (code === 'EAGAIN') return
    if (absenceOf(error) === 'refuse') throw unreachable(socket, 'somebody must listen there: nobody does', 'start its server first')
    if (code === 'EACCES') throw unreachable(socket, 'this user must be able to connect: it may not', 'run it as root')
    throw notFound(socket, error)
  }
}

function fileId({dev, ino, birthtimeNs}: BigIntStats): FileId {
  return {device: String(dev), inode: String(ino), born: String(birthtimeNs)}
}
