// crictl, the peer: the real client of a container runtime, at a given endpoint.
import {execa} from 'execa'

export type Crictl = (...args: readonly string[]) => Promise<string>

/** Runs crictl and returns what it printed. The machine's own crictl.yaml is not read. */
export function crictlAt(path: string, endpoint: string): Crictl {
  return async (...args) => {
    const own = ['--config', '/dev/null', '--runtime-endpoint', endpoint, '--image-endpoint', endpoint, '--timeout', '30s']
    return (await execa(path, [...own, ...args], {extendEnv: false, env: {PATH: process.env.PATH ?? ''}})).stdout
  }
}
