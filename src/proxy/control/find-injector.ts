// The one injector that runs, where nobody says which is meant.
import {connect} from 'node:net'
import {UserError} from '../../base/errors.ts'
import {exitCodes} from '../../base/exit-codes.ts'
import {controlFolder, controlSockets, type Owner} from './control-socket.ts'

/** @throws UserError when there is none, or more than one */
export async function findInjector(owner: Owner): Promise<string> {
  const sockets = await controlSockets(owner)
  const alive = (await Promise.all(sockets.map(async (path) => ((await answers(path)) ? [path] : [])))).flat()
  const [only, ...others] = alive
  if (only !== undefined && others.length === 0) return only
  const what = only === undefined ? 'none is' : `there are ${alive.join(', ')}`
  throw new UserError(`Cannot tell which injector is meant as one must be running: ${what}`, {
    hint:
      only === undefined
        ? `\`kubelimbo inject\` starts one; --control names a socket that is not in ${controlFolder(owner)}`
        : 'name one with --control',
    exit: only === undefined ? exitCodes.blind : exitCodes.usage,
  })
}

const answers = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({path})
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
