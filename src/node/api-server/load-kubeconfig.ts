// Credentials from a kubeconfig and the files that it names.
import {dirname, join} from 'node:path'
import {firstLine} from '../../base/errors.ts'
import {systemReason} from '../bundle/system-reason.ts'
import {Secret} from '../secret.ts'
import type {CredentialPlace, Credentials} from './credentials.ts'
import {type Kubeconfig, type Material, parseKubeconfig} from './kubeconfig.ts'

/** @throws the system's error */
export type ReadFile = (path: string) => Promise<string>

/** Never throws: what is wrong with it is what is found. */
export async function loadKubeconfig(source: string, path: string, readFile: ReadFile): Promise<CredentialPlace> {
  let text: string
  try {
    text = await readFile(path)
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException
    return {source, found: {state: code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'unusable', why: systemReason(error)}}
  }
  try {
    const config = await parseKubeconfig(text, path)
    if (config.unsupported !== undefined) {
      return {source, found: {state: 'unusable', why: `${config.unsupported}; \`kubectl get --raw\` can ask in our stead`}}
    }
    return {source, found: {state: 'usable', ...(await credentialsOf(config, source, path, readFile))}}
  } catch (error) {
    return {source, found: {state: 'unusable', why: firstLine(error)}}
  }
}

/** @throws Error, one sentence, when a file that it names cannot be read. */
async function credentialsOf(config: Kubeconfig, source: string, path: string, readFile: ReadFile) {
  const {server, serverName, insecure} = config
  const named = async (file: string): Promise<string> => {
    const absolute = file.startsWith('/') ? file : join(dirname(path), file)
    try {
      return await readFile(absolute)
    } catch (error) {
      throw new Error(`Cannot use the kubeconfig as it names ${absolute}, which must be readable: ${systemReason(error)}`)
    }
  }
  const load = async (material: Material | undefined) =>
    material === undefined ? undefined : 'text' in material ? material.text : named(material.path)
  // A token wins over the file of one, as in client-go.
  const token = config.token ?? (config.tokenFile === undefined ? undefined : await named(config.tokenFile))
  // One after another: of several that are missing it is always the same that is told of.
  const ca = await load(config.ca)
  const cert = await load(config.cert)
  const key = await load(config.key)
  const own = cert !== undefined && key !== undefined
  const {url, login} = withoutLogin(new URL(server))
  return {
    credentials: {
      source,
      server: url,
      tls: {
        verify: !insecure,
        ...(ca !== undefined && {ca}),
        ...(serverName !== undefined && {serverName}),
        ...(own && {cert, key: new Secret(key)}),
      },
      ...(token !== undefined && {token: new Secret(token.trim())}),
      ...(login && {login}),
    },
    by:
      [token !== undefined && 'a token', own && 'a client certificate', login && 'a password in its address']
        .filter(Boolean)
        .join(' and ') || 'nothing',
  }
}

/** An address is shown, and the password in it is not. */
function withoutLogin(server: URL): {readonly url: URL; readonly login: Credentials['login']} {
  const {username, password} = server
  const url = new URL(server)
  url.username = ''
  url.password = ''
  const login = {user: decodeURIComponent(username), password: new Secret(decodeURIComponent(password))}
  return {url, login: username === '' && password === '' ? undefined : login}
}
