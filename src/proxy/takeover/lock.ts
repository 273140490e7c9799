// One at a time: an abstract socket, which ends with whoever holds it, however it ends.
import {once} from 'node:events'
import {createServer} from 'node:net'
import {type Clock, steadyNow} from '../../base/clock.ts'
import {UserError} from '../../base/errors.ts'
import {exitCodes} from '../../base/exit-codes.ts'

/** What is done under it takes milliseconds; a swap on a slow disk some seconds. */
const patience = 30_000
const lookEvery = 20

/** Abstract names belong to the network namespace: whoever gives back from within a container of another one is not held off. @throws UserError when somebody has it for too long */
export async function takeoverLock(id: string, clock: Clock, forMs = patience): Promise<AsyncDisposable> {
  const until = steadyNow(clock) + forMs
  for (;;) {
    const server = createServer((socket) => socket.destroy())
    try {
      server.listen(`\0kubelimbo-takeover-${id}`)
      await once(server, 'listening')
      return {
        [Symbol.asyncDispose]: async () => {
          server.close()
          await once(server, 'close')
        },
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    }
    if (steadyNow(clock) >= until)
      throw new UserError(
        `Cannot touch the takeover ${id} as nobody else must be at it: somebody has been for ${Math.round(forMs / 1000)} seconds`,
        {
          hint: `ss -xlp | grep kubelimbo-takeover-${id} shows who`,
          exit: exitCodes.dirty,
        },
      )
    await clock.sleep(lookEvery)
  }
}
