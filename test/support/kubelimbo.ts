// The built command as a child process, as a user runs it.
import {join} from 'node:path'
import {execa} from 'execa'

const binary = join(import.meta.dirname, '../../bin/kubelimbo.js')

/** Runs kubelimbo and returns what it printed. It sees none of the caller's own settings. */
export const kubelimbo = kubelimboWith({})

export function kubelimboWith(settings: Readonly<Record<string, string>>) {
  // vitest's NODE_ENV=test would make oclif look for sources.
  const env = {PATH: process.env.PATH ?? '', NODE_ENV: 'production', NO_COLOR: '1', ...settings}
  return async (...args: readonly string[]): Promise<string> =>
    (await execa(process.execPath, [binary, ...args], {extendEnv: false, env, stdin: 'ignore'})).stdout
}

/** Runs kubelimbo whatever its exit code will be. */
export async function runKubelimbo(...args: readonly string[]): Promise<{stdout: string; stderr: string; exitCode: number | undefined}> {
  const env = {PATH: process.env.PATH ?? '', NODE_ENV: 'production', NO_COLOR: '1'}
  const {stdout, stderr, exitCode} = await execa(process.execPath, [binary, ...args], {
    extendEnv: false,
    env,
    stdin: 'ignore',
    reject: false,
  })
  return {stdout, stderr, exitCode}
}
