// Addresses of unix sockets, as the kubelet, crictl and people write them.
import {UserError} from '../base/errors.ts'

export interface SocketAddress {
  /** An absolute path, or '@name' for an abstract socket. */
  readonly path: string
  /** 'unix:///run/x.sock' or 'unix:@name'. */
  readonly endpoint: string
  /** Said when the spelling is accepted but on its way out. */
  readonly warning?: string
}

/** unix(7): sun_path has 108 bytes, the last one is the NUL. Of an abstract name, the first one is. */
export const longestSocketPath = 107

/**
 * @param what names the setting in messages, such as '--runtime-endpoint'.
 * @throws UserError when the text is no address of a unix socket.
 */
export function parseSocketAddress(text: string, what: string): SocketAddress {
  const trimmed = text.trim()
  if (/^npipe:|^[a-z]:\\|^\\/i.test(trimmed)) {
    throw new UserError(`Cannot use ${what} as it must be the address of a unix socket: it is '${trimmed}', and Windows is not supported`)
  }
  const path = withoutScheme(trimmed)
  if (path === undefined || !/^(\/.*[^/]|@.+)$/s.test(path) || path.includes('\0')) {
    throw new UserError(`Cannot use ${what} as it must be the address of a unix socket: it is '${trimmed}'`, {
      hint: `${/^[^/@:]+(\/|$)/.test(trimmed) ? 'a path must be absolute: ' : ''}write it as unix:///run/containerd/containerd.sock`,
    })
  }
  const bytes = Buffer.byteLength(path.startsWith('@') ? path.slice(1) : path)
  if (bytes > longestSocketPath) {
    throw new UserError(
      `Cannot use ${what} as the path of a socket must have at most ${longestSocketPath} bytes: it has ${bytes} (${path})`,
      {
        hint: 'a symbolic link with a shorter path serves',
      },
    )
  }
  const endpoint = endpointOf(path)
  return trimmed.startsWith('/')
    ? {path, endpoint, warning: `${what} is a bare path, which the kubelet and crictl call deprecated: write ${endpoint}`}
    : {path, endpoint}
}

/** What follows 'unix://' or 'unix:'; the text itself when it has no scheme; undefined for another scheme. */
function withoutScheme(text: string): string | undefined {
  const [, scheme, rest] = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(text) ?? []
  if (scheme === undefined) return text
  if (scheme.toLowerCase() !== 'unix' || rest === undefined) return undefined
  if (!rest.startsWith('//')) return rest
  // 'unix://run/x.sock' names a host 'run' to a URL parser; whoever writes it means something else.
  return /^\/\/[/@]/.test(rest) ? rest.slice(2) : undefined
}

export function endpointOf(path: string): string {
  return path.startsWith('@') ? `unix:${path}` : `unix://${path}`
}

/** The path as connect(2) takes it. */
export function connectPath(path: string): string {
  return path.startsWith('@') ? `\0${path.slice(1)}` : path
}
