// A kubeconfig: whom to ask, and who to be, in its current context.
import {viewYaml, YamlProblem, type YamlView} from './yaml-view.ts'

export interface Kubeconfig {
  readonly server: string
  readonly serverName?: string
  readonly insecure: boolean
  readonly ca?: Material
  readonly token?: string
  /** Paths are as they are written: relative ones are relative to the file. */
  readonly tokenFile?: string
  readonly cert?: Material
  readonly key?: Material
  /** Why there are no credentials in it that we could use. */
  readonly unsupported?: string
}

/** A file, or what it would hold. */
export type Material = {readonly path: string} | {readonly text: string}

/**
 * @param path where the text is from, for messages.
 * @throws Error, one sentence with the line, that quotes names of contexts, clusters and users and nothing else.
 */
export async function parseKubeconfig(text: string, path: string): Promise<Kubeconfig> {
  try {
    return kubeconfigOf(await viewYaml(text))
  } catch (error) {
    if (!(error instanceof YamlProblem)) throw error
    throw new Error(`Cannot use the kubeconfig as ${error.message} (${path}:${error.line})`)
  }
}

function kubeconfigOf(config: YamlView): Kubeconfig {
  const current = config.text('current-context')
  if (current === undefined)
    throw new YamlProblem("its 'current-context' must name a context: it names none", config.line('current-context'))
  const context = named(config, 'context', current)
  const clusterName = context?.text('cluster')
  if (context === undefined || clusterName === undefined) {
    throw new YamlProblem(`context '${short(current)}' must be there and name a cluster: it does not`, config.line('current-context'))
  }
  const cluster = named(config, 'cluster', clusterName)
  const server = cluster?.text('server')
  if (cluster === undefined || server === undefined || !/^https?:\/\//.test(server) || !URL.canParse(server)) {
    throw new YamlProblem(
      `cluster '${short(clusterName)}' must have an http or https URL as its server: it has none`,
      cluster?.line('server') ?? context.line('cluster'),
    )
  }
  const userName = context.text('user')
  const user = userName === undefined ? undefined : named(config, 'user', userName)
  if (userName !== undefined && user === undefined) {
    throw new YamlProblem(`its users must have one named '${short(userName)}': there is none`, context.line('user'))
  }
  const unsupported = cluster.has('proxy-url') ? 'its cluster is behind a proxy (proxy-url)' : user && unsupportedIn(user)
  return {
    server,
    insecure: cluster.isTrue('insecure-skip-tls-verify'),
    ...set('serverName', cluster.text('tls-server-name')),
    ...set('ca', material(cluster, 'certificate-authority')),
    ...set('token', user?.text('token')),
    ...set('tokenFile', user?.text('tokenFile')),
    ...set('cert', user && material(user, 'client-certificate')),
    ...set('key', user && material(user, 'client-key')),
    ...set('unsupported', unsupported),
  }
}

/** The map of one of `contexts`, `clusters` and `users`. */
function named(config: YamlView, kind: 'context' | 'cluster' | 'user', name: string): YamlView | undefined {
  return config
    .maps(`${kind}s`)
    .find((entry) => entry.text('name') === name)
    ?.map(kind)
}

function material(map: YamlView, key: string): Material | undefined {
  const encoded = map.text(`${key}-data`)
  if (encoded === undefined) {
    const path = map.text(key)
    return path === undefined ? undefined : {path}
  }
  if (!/^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(encoded))
    throw new YamlProblem(`its '${key}-data' must be base64: it is not`, map.line(`${key}-data`))
  return {text: Buffer.from(encoded, 'base64').toString('utf8')}
}

/** What we do not do, unless the same user has something else. */
function unsupportedIn(user: YamlView): string | undefined {
  if (['token', 'tokenFile', 'client-certificate', 'client-certificate-data'].some((key) => user.has(key))) return undefined
  if (user.has('exec')) return 'its user gets credentials from a program (exec), which is not run'
  if (user.has('auth-provider')) return 'its user gets credentials from an auth-provider, which is not run'
  return user.has('username') ? 'its user has a password, which API servers no longer take' : undefined
}

function short(name: string): string {
  return name.slice(0, 100)
}

function set<Key extends string, T>(key: Key, value: T | undefined): {[K in Key]?: T} {
  return (value === undefined ? {} : {[key]: value}) as {[K in Key]?: T}
}
