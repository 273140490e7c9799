// A kubelet's root with sockets of plugins in it, and what readCsi() makes of them.
import {mkdirSync, renameSync} from 'node:fs'
import {createServer} from 'node:net'
import {dirname, join} from 'node:path'
import {expect} from 'vitest'
import {systemClock} from '../../src/base/clock.ts'
import {type ReadCsiOptions, readCsi} from '../../src/node/csi/read-csi.ts'
import {followLinks} from '../../src/node/follow-links.ts'
import {type FakeDriverOptions, fakeDriver, fakeRegistration} from './fake-driver.ts'
import {tempDir} from './socket-dir.ts'

export interface KubeletRoot {
  readonly root: string
  /** The absolute path of something below the root; the folders on the way are made. */
  place(path: string): string
}

export function kubeletRoot(root = tempDir()): KubeletRoot {
  for (const folder of ['plugins_registry', 'plugins']) mkdirSync(join(root, folder), {recursive: true})
  return {
    root,
    place: (path) => {
      const absolute = join(root, path)
      mkdirSync(dirname(absolute), {recursive: true})
      return absolute
    },
  }
}

export const registry = 'plugins_registry/fake-reg.sock'
export const csi = 'plugins/fake/csi.sock'

/** A driver that is registered, by the names above. */
export async function registered({place}: KubeletRoot, driver: Partial<FakeDriverOptions> = {}) {
  return {
    driver: await fakeDriver({path: place(csi), ...driver}),
    registration: await fakeRegistration({path: place(registry), endpoint: place(csi)}),
  }
}

export async function end(...servers: readonly AsyncDisposable[]): Promise<void> {
  await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()))
}

/** Bound and left behind, as after a reboot. */
export async function staleSocket(path: string): Promise<AsyncDisposable> {
  const server = createServer()
  await new Promise<void>((resolve) => {
    server.listen(`${path}.0`, resolve)
  })
  renameSync(`${path}.0`, path)
  await new Promise((resolve) => server.close(resolve))
  return {[Symbol.asyncDispose]: async () => undefined}
}

type ReadAtOptions = Partial<ReadCsiOptions> & {readonly locate?: (path: string) => string}

export const readAt = (root: string, {locate = (path) => path, ...options}: ReadAtOptions = {}) =>
  readCsi({
    root,
    placeOf: async (path) => locate(await followLinks(path, locate, async () => undefined)),
    clock: systemClock,
    deadlineMs: 30_000,
    ...options,
  })

/** The two lists, sure to be whole. */
export async function socketsAt(root: string, options: ReadAtOptions = {}) {
  const {'csi.registrations': registrations, 'csi.drivers': drivers} = await readAt(root, options)
  if (registrations.state !== 'read' || drivers.state !== 'read') throw new Error('not read')
  expect([registrations.incomplete, drivers.incomplete]).toEqual([undefined, undefined])
  return {registrations: registrations.value, drivers: drivers.value}
}
