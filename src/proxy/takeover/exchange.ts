// Finds out how two names of a directory are swapped at once on this machine and this file system: by trying it on two files of ours.
import {lstat, rm, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import type {FileId} from '../../node/takeover/journal.ts'
import {type ExchangeProgram, exchangePrograms, runExchange} from './exchange-programs.ts'

export interface FindExchangeOptions {
  readonly directory: string
  /** Two names of ours in it; they are gone when this resolves. */
  readonly trial: readonly [one: string, other: string]
  readonly programs?: readonly ExchangeProgram[]
}

export type Exchange = (one: string, other: string, only?: FileId) => Promise<void>

/** Undefined: nothing here can. @throws the system's error when no file can be made there */
export async function findExchange({directory, trial, programs = exchangePrograms()}: FindExchangeOptions): Promise<Exchange | undefined> {
  const [one, other] = trial.map((name) => join(directory, name)) as [string, string]
  const clean = async () => {
    await rm(one, {force: true})
    await rm(other, {force: true})
  }
  await clean()
  try {
    for (const path of [one, other]) await writeFile(path, '', {flag: 'wx', mode: 0o600})
    const before = await inodes(one, other)
    for (const program of programs) {
      const ran = await runExchange(program, directory, ...trial).then(
        () => true,
        () => false,
      )
      const after = ran ? await inodes(one, other) : before
      if (after[0] === before[1] && after[1] === before[0])
        return (from, to, only) => runExchange(program, directory, from, to, only?.inode)
    }
    return undefined
  } finally {
    await clean()
  }
}

/** Where there is no room for a trial: whichever program can, and else `inSteps`. */
export function untriedExchange(directory: string, inSteps: Exchange, programs: readonly ExchangeProgram[] = exchangePrograms()): Exchange {
  return async (one, other) => {
    for (const program of programs) {
      try {
        return await runExchange(program, directory, one, other)
      } catch (error) {
        const {code, missing} = error as NodeJS.ErrnoException & {readonly missing: boolean}
        // EIO is that of an older one, which does not know the option.
        if (!missing && code !== 'EIO' && code !== 'EINVAL') throw error
      }
    }
    await inSteps(one, other)
  }
}

const inodes = async (...paths: readonly string[]): Promise<readonly bigint[]> => {
  const stats = await Promise.all(paths.map((path) => lstat(path, {bigint: true}).catch(() => undefined)))
  return stats.map((stat) => stat?.ino ?? -1n)
}
