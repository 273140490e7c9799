// The built command as a child process, as a user has it.
import {join} from 'node:path'
import {execa} from 'execa'

const bin = join(import.meta.dirname, '../../bin/kubelimbo.js')

export interface Ran {
  readonly exitCode: number | undefined
  readonly stdout: string
  readonly stderr: string
}

/** @param env on top of a small one of our own: what is set where the tests run must not reach the command. */
export async function kubelimbo(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const {exitCode, stdout, stderr} = await start(args, env)
  return {exitCode, stdout, stderr}
}

export function start(args: readonly string[], env: Readonly<Record<string, string>> = {}, reject = false) {
  return execa(process.execPath, [bin, ...args], {
    reject,
    extendEnv: false,
    stdin: 'ignore',
    // vitest sets NODE_ENV to 'test', and oclif would look for TypeScript.
    env: {NODE_ENV: 'production', PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', CRI_CONFIG_FILE: '/dev/null', ...env},
  })
}

/** What it printed. Throws execa's error when it did not end with 0. */
export async function printed(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  return (await start(args, env, true)).stdout
}
