// Which image a name, a digest or the beginning of an id means. Source: containerd's internal/cri/server/images/image_status.go and image_list.go
import {create} from '@bufbuild/protobuf'
import {wholeId} from '../../node/cri-captured.ts'
import * as v1 from '../../wire/gen/cri_pb.ts'
import type {CallBook} from './call-book.ts'
import {messageOf} from './kept-answers.ts'
import type {Answer} from './runtime-answers.ts'

export function imageStatus(book: CallBook, {image, verbose}: v1.ImageStatusRequest): Answer {
  const list = book.of('ListImages').findLast(({code}) => code === 'OK')
  const name = image?.image ?? ''
  if (list === undefined) return undefined
  const found = imageCalled(name, messageOf(v1.ListImagesResponseSchema, list).images)
  // Not found is no error: the image is left out.
  if (found === undefined) return {message: create(v1.ImageStatusResponseSchema)}
  const kept = book
    .of('ImageStatus')
    .filter(({code}) => code === 'OK')
    .map((call) => messageOf(v1.ImageStatusResponseSchema, call))
    .filter((status) => status.image?.id === found.id)
  const whole = kept.findLast(({info}) => Object.keys(info).length > 0) ?? kept.at(-1)
  if (whole === undefined) return {message: create(v1.ImageStatusResponseSchema, {image: found})}
  return {message: verbose ? whole : create(v1.ImageStatusResponseSchema, {...whole, info: {}})}
}

/** containerd leaves the filter unheeded, others do not. */
export function listImages(book: CallBook, {filter}: v1.ListImagesRequest, runtime: string): Answer {
  const call = book.of('ListImages').at(-1)
  const name = filter?.image?.image ?? ''
  if (call === undefined || call.code !== 'OK' || name === '' || runtime === 'containerd') return call
  const found = imageCalled(name, messageOf(v1.ListImagesResponseSchema, call).images)
  return {message: create(v1.ListImagesResponseSchema, {images: found === undefined ? [] : [found]})}
}

function imageCalled(name: string, images: readonly v1.Image[]): v1.Image | undefined {
  const names = new Set([name, `sha256:${name}`, ...fullNames(name)])
  const named = images.find(({id, repoTags, repoDigests}) => [id, ...repoTags, ...repoDigests].some((each) => names.has(each)))
  if (named !== undefined || name === '') return named
  const digests = images.map(({id}) => id.replace(/^sha256:/, ''))
  const whole = wholeId(name.replace(/^sha256:/, ''), digests)
  return images[digests.indexOf(whole)]
}

/** 'busybox' is docker.io/library/busybox:latest (github.com/distribution/reference, ParseDockerRef). */
function fullNames(name: string): readonly string[] {
  const [first = '', ...rest] = name.split('/')
  const hasDomain = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost')
  const domain = hasDomain ? name : `docker.io/${rest.length > 0 ? name : `library/${name}`}`
  return /[:@][^/]*$/.test(domain) ? [domain] : [`${domain}:latest`]
}
