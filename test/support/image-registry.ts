// A registry of images on loopback, from which a runtime can pull whatever it asks for: each repository holds one image of ours, under any tag.
import {once} from 'node:events'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {digest, type Image, manifestType} from './oci-image.ts'

export interface ImageRegistry extends AsyncDisposable {
  readonly url: string
}

/** The file `_default/hosts.toml` of containerd, with which it asks nobody else, whatever an image's registry is. */
export const onlyHost = ({url}: ImageRegistry): string => `server = "${url}"\n[host."${url}"]\n  capabilities = ["pull", "resolve"]\n`

/** @param image of a repository, 'e2e-test-images/busybox' */
export async function imageRegistry(image: (repository: string) => Image): Promise<ImageRegistry> {
  const images = new Map<string, Image>()
  const imageOf = (repository: string) => {
    const known = images.get(repository) ?? image(repository)
    images.set(repository, known)
    return known
  }
  const server = createServer((request, response) => {
    const [, repository = '', kind, reference] = /^\/v2\/(.+)\/(manifests|blobs)\/(.+)$/.exec((request.url ?? '').replace(/\?.*/, '')) ?? []
    if (kind === undefined) return void response.writeHead(/^\/v2\/(\?|$)/.test(request.url ?? '') ? 200 : 404).end()
    const {manifest, config, layer} = imageOf(repository)
    const named = kind === 'manifests' && !reference?.startsWith('sha256:') ? manifest : undefined
    const blob = named ?? [manifest, config, layer].find((each) => digest(each) === reference)
    if (blob === undefined) return void response.writeHead(404).end()
    response.writeHead(200, {
      'content-type': blob === manifest ? manifestType : 'application/octet-stream',
      'content-length': blob.length,
      'docker-content-digest': digest(blob),
    })
    response.end(request.method === 'HEAD' ? undefined : blob)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
