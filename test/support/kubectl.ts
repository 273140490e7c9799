// kubectl, the usual client of an API server, with a kubeconfig and a home of its own.
import {execa} from 'execa'

export interface Printed {
  readonly code: number | undefined
  readonly out: string
  readonly err: string
}

export interface Kubectl {
  (args: readonly string[], input?: string): Promise<Printed>
  /** Runs until `enough` says so of what it has printed, then ends it. */
  until(args: readonly string[], enough: (out: string) => boolean): Promise<string>
}

/** @param home for its caches: discovery is kept by address */
export function kubectlAt(path: string, kubeconfig: string, home: string): Kubectl {
  const options = {extendEnv: false, env: {PATH: process.env.PATH ?? '', HOME: home}, reject: false} as const
  const whole = (args: readonly string[]) => ['--kubeconfig', kubeconfig, ...args]
  const run = async (args: readonly string[], input = ''): Promise<Printed> => {
    const {exitCode, stdout, stderr} = await execa(path, whole(args), {...options, input, timeout: 60_000})
    return {code: exitCode, out: stdout, err: stderr}
  }
  return Object.assign(run, {
    until: async (args: readonly string[], enough: (out: string) => boolean): Promise<string> => {
      const child = execa(path, whole(args), {...options, buffer: false, timeout: 60_000})
      let out = ''
      for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
        out += chunk.toString()
        if (enough(out)) break
      }
      child.kill()
      await child
      return out
    },
  })
}
