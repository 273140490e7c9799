// A client whose connection was taken and that nobody serves: what it says is kept for whoever serves it in the end, and it is seen when it leaves.
import type {Socket} from 'node:net'

/** Of one client; behind that it has to wait. */
const most = 64 * 1024

/** @returns what gives the socket back, paused, as if nothing had been read of it */
export function park(socket: Socket, left: () => void): () => void {
  const pieces: Buffer[] = []
  let bytes = 0
  const keep = (piece: Buffer) => {
    pieces.push(piece)
    bytes += piece.length
    if (bytes >= most) socket.pause()
  }
  // Kubelets and drivers that try again and again would leave a descriptor each time.
  const leave = () => void socket.destroy()
  socket.on('data', keep).on('end', leave).on('close', left).resume()
  return () => {
    socket.pause().off('data', keep).off('end', leave).off('close', left)
    if (bytes > 0) socket.unshift(Buffer.concat(pieces))
  }
}
