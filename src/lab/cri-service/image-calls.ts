// The service of images. Source: containerd's internal/cri/server/images
import type {MessageInitShape} from '@bufbuild/protobuf'
import type {ServiceImpl} from '@connectrpc/connect'
import type {ImageFilter, ImageSchema, ImageService} from '../../wire/gen/cri_pb.ts'
import type {StoredImage} from '../runtime/images.ts'
import {type CriContext, through} from './context.ts'
import {nanoseconds} from './nanoseconds.ts'
import {inPieces} from './pieces.ts'

/** Nothing of the lab lies there, but a kubelet looks up the file system of the path, so it has to exist (stats/cri_stats_provider.go, getFsInfo). */
export const imageFilesystem = '/'

export function imageCalls(service: CriContext): ServiceImpl<typeof ImageService> {
  const {world, clock} = service
  const list = (filter: ImageFilter | undefined) => {
    const name = filter?.image?.image ?? ''
    if (name === '') return world.images.list().map(imageOf)
    const found = world.images.get(name)
    return found === undefined ? [] : [imageOf(found)]
  }
  return {
    listImages: ({filter}) => ({images: list(filter)}),
    streamImages: async function* ({filter}) {
      for (const images of inPieces(list(filter))) yield {images}
    },
    imageStatus: async ({image, verbose}, context) => {
      const name = image?.image ?? ''
      const {present} = await through(service, context, 'ImageStatus', {image: name})
      const found = present ? world.images.get(name) : undefined
      if (found === undefined) return {}
      return {image: imageOf(found), info: verbose ? {info: JSON.stringify({chainID: found.id})} : {}}
    },
    // Whoever the client says it is: the registries of the lab are open, and nothing of `auth` goes any further.
    pullImage: async ({image}, context) => {
      const {imageRef} = await through(service, context, 'PullImage', {image: image?.image ?? ''})
      return {imageRef: world.images.get(imageRef)?.id ?? imageRef}
    },
    removeImage: ({image}) => {
      world.images.remove(image?.image ?? '')
      return {}
    },
    imageFsInfo: () => {
      const images = world.images.list()
      const usage = {
        timestamp: nanoseconds(clock.now()),
        fsId: {mountpoint: imageFilesystem},
        usedBytes: {value: BigInt(images.reduce((sum, {size}) => sum + size, 0))},
        inodesUsed: {value: BigInt(images.length)},
      }
      return {imageFilesystems: [usage], containerFilesystems: [usage]}
    },
  }
}

const imageOf = ({id, repoTags, repoDigests, size, pinned}: StoredImage): MessageInitShape<typeof ImageSchema> => ({
  id,
  repoTags: [...repoTags],
  repoDigests: [...repoDigests],
  size: BigInt(size),
  pinned,
})
