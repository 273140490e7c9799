// The images of the lab: its own is on the node, one of a registry under .invalid can never be pulled (RFC 2606: there is no such name), any other can be.
// A repository has one image, whatever the tag, and all registries have the same: so several references lead to one image, as on a real node.
import {createHash} from 'node:crypto'
import {CallFailure} from '../../kubelet/port.ts'

export const labImage = 'kubelimbo/lab:1'

export interface StoredImage {
  /** 'sha256:…' */
  readonly id: string
  readonly repoTags: readonly string[]
  readonly repoDigests: readonly string[]
  readonly size: number
  /** It is the lab's own: no kubelet collects it. */
  readonly pinned: boolean
}

export interface Images {
  present(image: string): boolean
  /** @throws CallFailure when no registry has it */
  pulled(image: string): void
  /** By a tag, a digest, the id or the start of the id that no other has. */
  get(image: string): StoredImage | undefined
  /** In the order in which they came. */
  list(): readonly StoredImage[]
  /** With all its tags. */
  remove(image: string): void
}

export function images(): Images {
  const byId = new Map<string, StoredImage>()
  /** Tags and digests to ids. */
  const references = new Map<string, string>()
  const get = (image: string): StoredImage | undefined => {
    const {tag, digest} = parseReference(image)
    const named = references.get(digest ?? tag)
    if (named !== undefined) return byId.get(named)
    const hex = image.replace(/^sha256:/, '')
    if (!/^[0-9a-f]+$/.test(hex)) return undefined
    const starting = [...byId.values()].filter(({id}) => id.startsWith(`sha256:${hex}`))
    return starting.length === 1 ? starting[0] : undefined
  }
  const add = (image: string) => {
    const {repository, tag, digest, path} = parseReference(image)
    const hash = sha256(path)
    const id = `sha256:${hash}`
    const before = byId.get(id)
    const repoTags = digest === undefined ? withOne(before?.repoTags, tag) : (before?.repoTags ?? [])
    const repoDigests = withOne(before?.repoDigests, digest ?? `${repository}@sha256:${sha256(hash)}`)
    for (const each of [...repoTags, ...repoDigests]) references.set(each, id)
    byId.set(id, {id, repoTags, repoDigests, size: 1_000_000 + Number.parseInt(hash.slice(0, 6), 16), pinned: path === labPath})
  }
  add(labImage)
  return {
    get,
    present: (image) => get(image) !== undefined,
    pulled: (image) => {
      const registry = image.split('/', 1)[0] ?? ''
      if (/\.invalid(:\d+)?$/.test(registry)) {
        throw new CallFailure('UNKNOWN', `failed to pull and unpack image "${image}": dial tcp: lookup ${registry}: no such host`)
      }
      add(image)
    },
    list: () => [...byId.values()],
    remove: (image) => {
      const found = get(image)
      if (found === undefined) return
      byId.delete(found.id)
      for (const each of [...found.repoTags, ...found.repoDigests]) references.delete(each)
    },
  }
}

const labPath = parseReference(labImage).path

interface Reference {
  /** With its registry. */
  readonly repository: string
  /** Without its registry. */
  readonly path: string
  /** 'repository:tag', of a digest, too. */
  readonly tag: string
  /** 'repository@sha256:…' when it names one. */
  readonly digest?: string
}

/** Docker's short forms are written out: 'busybox' is 'docker.io/library/busybox:latest' (distribution/reference, ParseNormalizedNamed). */
export function parseReference(image: string): Reference {
  const [named = '', digest] = image.split('@', 2)
  const [, name = named, tag = 'latest'] = /^(.*?)(?::([^:/]+))?$/.exec(named) ?? []
  const slash = name.indexOf('/')
  const first = slash < 0 ? '' : name.slice(0, slash)
  const hasRegistry = /[.:]/.test(first) || first === 'localhost'
  const registry = hasRegistry ? first : 'docker.io'
  const rest = hasRegistry ? name.slice(slash + 1) : name
  const path = registry === 'docker.io' && !rest.includes('/') ? `library/${rest}` : rest
  const repository = `${registry}/${path}`
  return {repository, path, tag: `${repository}:${tag}`, ...(digest !== undefined && {digest: `${repository}@${digest}`})}
}

const withOne = (list: readonly string[] | undefined, one: string): readonly string[] =>
  list?.includes(one) ? list : [...(list ?? []), one]

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
