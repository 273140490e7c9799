// A socket and one beside it, in a directory of their own; nobody listens.
import {join} from 'node:path'
import {deadSocket} from './raw-sockets.ts'
import {tempDir} from './socket-dir.ts'

export async function twoSockets() {
  const folder = tempDir()
  const [socket, side] = [join(folder, 'a.sock'), join(folder, '.side')]
  await deadSocket(socket)
  await deadSocket(side)
  return {socket, side}
}
