// What a program in a container finds around it, as far as its client's own words make it: the host name, resolv.conf, its user, and the folders that are mounted.
// Source: containerd's internal/cri/server/sandbox_run_linux.go, setupSandboxFiles
import {readdirSync} from 'node:fs'
import type {DNSConfig, LinuxContainerSecurityContext} from '../../wire/gen/cri-config_pb.ts'
import type {RuntimeWorld} from '../runtime/runtime-world.ts'
import type {Details} from './details.ts'

/** The names in a folder of the real disk, for a container that has it mounted. Undefined when it cannot be read. */
export type ListFolder = (path: string) => readonly string[] | undefined

export const listRealFolder: ListFolder = (path) => {
  try {
    return readdirSync(path)
  } catch {
    return undefined
  }
}

/** @returns what ends it */
export function answerQuestions(world: RuntimeWorld, details: Details, listFolder: ListFolder): () => void {
  return world.watch({
    onQuestion: (id, [program, ...rest]) => {
      const row = world.containers.get(id)
      const sandbox = row && world.sandboxes.get(row.podSandboxId)
      if (row === undefined || sandbox === undefined) return undefined
      const path = rest.at(-1)
      const config = details.ofSandbox(sandbox)?.config
      const hostname = config?.hostname || sandbox.metadata.name
      if (program === 'hostname' || (program === 'cat' && path === '/etc/hostname')) return `${hostname}\n`
      if (program === 'cat' && path === '/etc/resolv.conf') return resolvConf(config?.dnsConfig)
      const given = details.ofContainer(row)?.config
      if (program === 'id') return idOf(given?.linux?.securityContext, path ?? '')
      const mount = given?.mounts.find(({containerPath}) => containerPath === path)
      if (program === 'ls' && mount !== undefined)
        return listFolder(mount.hostPath)
          ?.map((name) => `${name}\n`)
          .join('')
      return undefined
    },
  })
}

/** The image has no file of users but root. */
function idOf(
  {runAsUser, runAsUsername = '', runAsGroup}: Partial<LinuxContainerSecurityContext> = {},
  option: string,
): string | undefined {
  if (option === '-g') return `${runAsGroup?.value ?? 0n}\n`
  const uid = runAsUsername === '' ? (runAsUser?.value ?? 0n) : undefined
  if (option === '-u') return uid === undefined ? undefined : `${uid}\n`
  const name = uid === 0n ? 'root' : runAsUsername
  return name === '' ? undefined : `${name}\n`
}

function resolvConf(dns: DNSConfig | undefined): string {
  const {servers = [], searches = [], options = []} = dns ?? {}
  const lines = servers.map((server) => `nameserver ${server}\n`)
  if (searches.length > 0) lines.unshift(`search ${searches.join(' ')}\n`)
  if (options.length > 0) lines.push(`options ${options.join(' ')}\n`)
  return lines.join('')
}
