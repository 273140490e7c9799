// The built command as a child process, as a user has it: by Node.js, or as the single executable.
import {join} from 'node:path'
import {execa} from 'execa'

const top = join(import.meta.dirname, '../..')

/** `npm run build:binary` makes it. */
export const singleExecutable = join(top, 'build/kubelimbo')
const byNode = [process.execPath, join(top, 'bin/kubelimbo.js')]

export interface Ran {
  readonly exitCode: number | undefined
  readonly stdout: string
  readonly stderr: string
}

/** @param env on top of a small one of our own: what is set where the tests run must not reach the command. */
export async function kubelimbo(args: readonly string[], env: Readonly<Record<string, string>> = {}, program = byNode): Promise<Ran> {
  const {exitCode, stdout, stderr} = await start(args, env, false, program)
  return {exitCode, stdout, stderr}
}

export function start(args: readonly string[], env: Readonly<Record<string, string>> = {}, reject = false, program = byNode) {
  const [file = '', ...first] = program
  return execa(file, [...first, ...args], {reject, extendEnv: false, stdin: 'ignore', env: {...ownEnv, ...env}})
}

export const ownEnv: Readonly<Record<string, string>> = {
  // vitest sets NODE_ENV to 'test', and oclif would look for TypeScript.
  NODE_ENV: 'production',
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  CRI_CONFIG_FILE: '/dev/null',
}

/** What it printed. Throws execa's error when it did not end with 0. */
export async function printed(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  return (await start(args, env, true)).stdout
}
