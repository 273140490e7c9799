// The node's name: what the kubelet was told, what the API server certified, what we were told, and the host's name at last.
import {X509Certificate} from 'node:crypto'
import type {Host} from '../endpoints/host.ts'
import {within} from '../rooted.ts'
import type {Fact} from './fact.ts'

interface Question {
  readonly host: Host
  readonly root: string
  readonly override: Fact<string> | undefined
  /** Files that may hold the kubelet's client certificate. */
  readonly certificates: readonly string[]
}

export async function nodeNameOf({host, root, override, certificates}: Question): Promise<Fact<string>> {
  // nodeutil.GetHostname lowers both.
  if (override) return {value: override.value.trim().toLowerCase(), why: override.why}
  for (const path of certificates) {
    const value = await certifiedName(host, root, path)
    if (value !== undefined) return {value, why: `the kubelet's certificate ${path}`}
  }
  if (host.env.NODE_NAME) return {value: host.env.NODE_NAME, why: 'NODE_NAME'}
  // The kernel's answer is about the one who asks; for another root there is the file.
  const path = root === '' && host.locate('/') === '/' ? '/proc/sys/kernel/hostname' : '/etc/hostname'
  try {
    return {value: (await host.readText(await within(host, root, path))).trim().toLowerCase(), why: `the host's name (${path})`}
  } catch {
    return {value: '', why: 'nothing says it'}
  }
}

async function certifiedName(host: Host, root: string, path: string): Promise<string | undefined> {
  try {
    const {subject} = new X509Certificate(await host.readText(await within(host, root, path)))
    return /^CN=system:node:(\S+)$/m.exec(subject)?.[1]
  } catch {
    return undefined
  }
}
