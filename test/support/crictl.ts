// crictl, the peer: the real client of a container runtime, at a given endpoint.
import {join} from 'node:path'
import {execa} from 'execa'

export type Crictl = (...args: readonly string[]) => Promise<string>

const buildScript = join(import.meta.dirname, '../peers/build.sh')

/**
 * The path of crictl; it is built when it is not there yet.
 * @throws with build.sh's reason.
 */
export async function crictlPath(): Promise<string> {
  const {stdout, stderr} = await execa(buildScript, ['crictl'], {reject: false})
  const path = stdout.split('\t')[1]
  if (path === undefined) throw new Error(`Cannot find crictl: ${stderr.trim().split('\n').at(-1)}`)
  return path
}

/** Runs crictl and returns what it printed. The machine's own crictl.yaml is not read. */
export function crictlAt(path: string, endpoint: string): Crictl {
  return async (...args) => {
    const own = ['--config', '/dev/null', '--runtime-endpoint', endpoint, '--image-endpoint', endpoint, '--timeout', '30s']
    return (await execa(path, [...own, ...args], {extendEnv: false, env: {PATH: process.env.PATH ?? ''}})).stdout
  }
}
