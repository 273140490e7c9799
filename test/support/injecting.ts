// `kubelimbo inject --socket` as a process of its own with its watchdog, and what they leave.
import {readdir, readFile, stat} from 'node:fs/promises'
import {basename, dirname, join} from 'node:path'
import {expect, onTestFinished} from 'vitest'
import type {Journal, ProcessId} from '../../src/node/takeover/journal.ts'
import {Identity} from '../../src/wire/gen/csi_pb.ts'
import {goCall} from './go-client.ts'
import {type Ran, start} from './kubelimbo.ts'
import {until} from './until.ts'

export interface Injecting {
  readonly pid: number
  /** What it printed so far: a JSON object in each line. */
  readonly said: readonly {readonly kind: string}[]
  /** As it is now. */
  journal(): Promise<Journal>
  kill(signal: NodeJS.Signals): void
  readonly ended: Promise<Ran>
}

export interface InjectingOptions {
  readonly socket: string
  /** The folder of journals. */
  readonly journals: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** What shows that a call goes through it. */
export const telling = ['--fault', 'fail', '--code', 'DATA_LOSS', '--method', 'GetPluginInfo']

/** It has the socket when this resolves, and ends with the test. @throws with what it said when it does not come so far */
export function startInjecting({socket, journals, args = telling, env = {}}: InjectingOptions): Promise<Injecting> {
  const control = join(journals, '../control.sock')
  return startTaking(journals, ['--socket', `unix://${socket}`, '--journals', journals, '--control', control, ...args], env)
}

/** As `startInjecting` does, by other ways to say which socket. */
export async function startTaking(
  journals: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Injecting> {
  const child = start(['inject', ...args, '-o', 'json'], env)
  const said: {kind: string}[] = []
  let text = ''
  child.stdout?.on('data', (chunk) => {
    const lines = `${text}${chunk}`.split('\n')
    text = lines.pop() ?? ''
    said.push(...lines.map((line) => JSON.parse(line)))
  })
  let over: Ran | undefined
  const ended = child.then(({exitCode, stdout, stderr}) => {
    over = {exitCode, stdout, stderr}
    return over
  })
  const watchdogs: ProcessId[] = []
  const journal = async () => {
    const [found] = await readJournals(journals)
    if (found === undefined) throw new Error(`there is no journal in ${journals}: ${JSON.stringify(over)}`)
    if (found.watchdog !== undefined) watchdogs.push(found.watchdog)
    return found
  }
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await child
    for (const each of watchdogs) if (await isThere(each)) process.kill(each.pid, 'SIGKILL')
  })
  await until(async () => {
    if (over === undefined && !said.some(({kind}) => kind === 'InjectStarted')) throw new Error('inject has not started')
  })
  if (over !== undefined) throw new Error(`inject ended with ${JSON.stringify(over)}`)
  await journal()
  return {pid: child.pid ?? 0, said, journal, kill: (signal) => void child.kill(signal), ended}
}

export async function readJournals(folder: string): Promise<readonly Journal[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'))
  return Promise.all(names.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8'))))
}

/** Field 22 of its stat, behind the name in parentheses (proc(5)). */
export async function isThere({pid, startTicks}: ProcessId): Promise<boolean> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = text.replace(/^.*\) /s, '').split(' ')
  return fields[19] === startTicks && fields[0] !== 'Z'
}

export const inodeAt = async (path: string): Promise<string> => `${(await stat(path)).ino}`

/** The socket's directory and journals as they are when nothing was taken over: nothing of ours is in them. */
export async function expectClean(socket: string, journals: string): Promise<void> {
  expect(await readdir(dirname(socket))).toEqual([basename(socket)])
  expect(await readdir(journals).catch(() => [])).toEqual([])
}

/** What a client of the driver gets: with the rule `telling` 'DataLoss' through the proxy, and 'OK' of the server. */
export const ask = async (socket: string): Promise<string> => (await goCall(socket, Identity.method.getPluginInfo, {})).code

/** @param inode of the socket that was there before. */
export async function expectGivenBack(socket: string, journals: string, inode: string): Promise<void> {
  await until(async () => {
    expect(await inodeAt(socket)).toBe(inode)
    await expectClean(socket, journals)
  }, 150)
  expect(await ask(socket)).toBe('OK')
}
