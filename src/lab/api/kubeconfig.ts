// What a client needs to reach the lab's API server.
import {open, rm} from 'node:fs/promises'

/** @param random of node:crypto: `randomBytes` */
export const newToken = (random: (size: number) => Uint8Array): string => Buffer.from(random(24)).toString('base64url')

/**
 * Over plain HTTP the token is in the address, too: clients leave out what a kubeconfig says of its user unless the server speaks TLS (client-go, clientcmd).
 * @param authority PEM, of a server that does
 */
export function kubeconfig(url: string, token: string, authority?: string): string {
  const server = new URL(url)
  if (authority === undefined) {
    server.username = 'lab'
    server.password = token
  }
  const data = authority === undefined ? '' : `\n    certificate-authority-data: ${Buffer.from(authority).toString('base64')}`
  return `apiVersion: v1
kind: Config
clusters:
- name: kubelimbo-lab
  cluster:
    server: ${server.href.replace(/\/$/, '')}${data}
contexts:
- name: kubelimbo-lab
  context:
    cluster: kubelimbo-lab
    user: lab
    namespace: default
current-context: kubelimbo-lab
users:
- name: lab
  user:
    token: ${token}
`
}

/** For its owner's eyes only, whatever was there before. */
export async function writeKubeconfig(path: string, text: string): Promise<void> {
  await rm(path, {force: true})
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
  } finally {
    await file.close()
  }
}
