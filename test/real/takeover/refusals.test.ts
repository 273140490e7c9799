// What is never taken over: it is refused with exit code 5, and nothing on the disk is another thing than before.
import {chmod, chown, mkdir, readdir, stat, symlink, writeFile} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {execa} from 'execa'
import {expect, onTestFinished, test} from 'vitest'
import {telling} from '../../support/injecting.ts'
import {kubelimbo} from '../../support/kubelimbo.ts'
import {startRestartingServer} from '../../support/restarting-server.ts'
import {tempDir} from '../../support/socket-dir.ts'

const stranger = 12_345

interface Refused {
  readonly what: string
  /** @returns the socket that is asked for, and words of the refusal */
  readonly arrange: (socket: string, folder: string) => Promise<readonly [asked: string, words: RegExp]>
  readonly below?: string
}

const refused: readonly Refused[] = [
  {
    what: 'a socket that is mounted there',
    arrange: async (socket, folder) => {
      const point = join(folder, 'mounted/csi.sock')
      await mkdir(dirname(point))
      await writeFile(point, '')
      await execa('mount', ['--bind', socket, point])
      onTestFinished(async () => void (await execa('umount', [point])))
      return [point, /mount point/]
    },
  },
  {
    what: 'a link',
    arrange: async (socket, folder) => {
      const link = join(folder, 'link.sock')
      await symlink(socket, link)
      return [link, /link/]
    },
  },
  {
    what: 'a socket of somebody else',
    arrange: async (socket) => {
      await chown(socket, stranger, stranger)
      return [socket, /user 12345/]
    },
  },
  {
    what: 'a socket in a directory of somebody else',
    arrange: async (socket) => {
      await chown(dirname(socket), stranger, stranger)
      return [socket, /user 12345/]
    },
  },
  {
    what: 'a socket in a directory in which everybody can write',
    arrange: async (socket) => {
      await chmod(dirname(socket), 0o1777)
      return [socket, /everybody can/]
    },
  },
  {
    what: 'a socket below a directory in which everybody can write',
    arrange: async (socket, folder) => {
      await chmod(folder, 0o777)
      return [socket, /everybody can/]
    },
  },
  {what: 'a socket in plugins_registry', below: 'plugins_registry', arrange: async (socket) => [socket, /plugins_registry/]},
  {
    what: 'a file that is no socket',
    arrange: async (socket) => {
      const file = join(dirname(socket), 'file')
      await writeFile(file, 'hello')
      return [file, /socket/]
    },
  },
]

async function everything(folder: string) {
  const paths = (await readdir(folder, {recursive: true})).toSorted()
  return Promise.all(
    paths.map(async (path) => {
      const {ino, mode, uid, gid, size} = await stat(join(folder, path))
      return {path, ino, mode, uid, gid, size}
    }),
  )
}

test.each(refused)('inject --socket refuses $what, with exit code 5 and nothing changed', async ({below = 'driver', arrange}) => {
  const folder = tempDir()
  const journals = join(tempDir(), 'journals')
  const socket = join(folder, below, 'csi.sock')
  await mkdir(dirname(socket))
  await using _server = await startRestartingServer(socket)
  const [asked, words] = await arrange(socket, folder)
  const before = await everything(folder)
  const ran = await kubelimbo(['inject', '--socket', `unix://${asked}`, '--journals', journals, ...telling, '--for', '5s'])
  expect(ran).toMatchObject({exitCode: 5, stdout: ''})
  expect(ran.stderr).toMatch(words)
  expect(await everything(folder)).toEqual(before)
  expect(await readdir(journals).catch(() => [])).toEqual([])
})

test('inject --socket refuses a socket that is taken over already, with exit code 5, and who has it keeps it', async () => {
  const {ask, startInjecting} = await import('../../support/injecting.ts')
  const folder = tempDir()
  const journals = join(folder, 'journals')
  const socket = join(folder, 'driver/csi.sock')
  await mkdir(dirname(socket))
  await using _server = await startRestartingServer(socket)
  const first = await startInjecting({socket, journals})
  const before = await everything(folder)
  const ran = await kubelimbo(['inject', '--socket', `unix://${socket}`, '--journals', journals, ...telling])
  expect(ran).toMatchObject({exitCode: 5, stdout: '', stderr: expect.stringContaining(`${first.pid}`)})
  expect(await everything(folder)).toEqual(before)
  expect(await ask(socket)).toBe('DataLoss')
})
