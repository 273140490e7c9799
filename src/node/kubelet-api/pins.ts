// The certificates that the kubelet may show, as they lie on this node. Most are signed by nobody we could ask, and a kubelet goes on
// with one that has expired; but a port above 1024 is anybody's once the kubelet is gone, and a token must not be told to anybody.
import {X509Certificate} from 'node:crypto'
import type {Host} from '../endpoints/host.ts'
import type {KubeletFacts} from '../kubelet-facts.ts'
import {within} from '../rooted.ts'

export interface Pins {
  readonly fingerprints: ReadonlySet<string>
  readonly files: readonly string[]
}

export async function servingPins(host: Host, {root, servingCertificates}: KubeletFacts): Promise<Pins> {
  const found = await Promise.all(
    servingCertificates.map(async (path) => {
      try {
        // The first certificate of the file is the one that is shown.
        return [path, new X509Certificate(await host.readText(await within(host, root, path))).fingerprint256] as const
      } catch {
        return undefined
      }
    }),
  )
  const pairs = found.filter((pair) => pair !== undefined)
  return {fingerprints: new Set(pairs.map(([, print]) => print)), files: pairs.map(([path]) => path)}
}
