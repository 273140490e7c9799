// A real containerd behind a proxy whose rules a test puts in force for a while.
import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {systemClock} from '../../src/base/clock.ts'
import type {Fault} from '../../src/faults/fault.ts'
import type {Match} from '../../src/faults/rule.ts'
import {serveProxy} from '../../src/proxy/serve-proxy.ts'
import {builtPeers} from './built-peers.ts'
import {type Containerd, startContainerd} from './containerd.ts'
import {containerdPlaces} from './containerd-config.ts'
import {type Crictl, crictlAt} from './crictl.ts'
import {ruleOf} from './proxied-driver.ts'

export interface ProxiedRuntime extends AsyncDisposable {
  /** Its own crictl goes past the proxy. */
  readonly rig: Containerd
  readonly path: string
  /** Through the proxy. */
  readonly crictl: Crictl
  /** As long as the rule alone is in force. */
  under<T>(fault: Fault, match: Match, run: () => Promise<T>): Promise<T>
  /** How many lines of containerd's log have the text. */
  logged(text: string): Promise<number>
}

/** containerd of today: its predecessors have no events. */
export async function startProxiedRuntime(): Promise<ProxiedRuntime> {
  const rig = await startContainerd('newest')
  const [crictl = ''] = await builtPeers('crictl')
  const path = join(rig.folder, 'p.sock')
  const proxy = await serveProxy({listen: path, upstream: rig.endpoint.slice('unix://'.length), rules: [], seed: 1, clock: systemClock})
  return {
    rig,
    path,
    crictl: crictlAt(crictl, `unix://${path}`),
    under: async (fault, match, run) => {
      proxy.rules.add(ruleOf(fault, match))
      try {
        return await run()
      } finally {
        proxy.rules.clear()
      }
    },
    logged: async (text) =>
      (await readFile(containerdPlaces(rig.folder).log, 'utf8')).split('\n').filter((line) => line.includes(text)).length,
    [Symbol.asyncDispose]: async () => {
      await proxy[Symbol.asyncDispose]()
      await rig[Symbol.asyncDispose]()
    },
  }
}
