import {afterAll, beforeAll, expect, test} from 'vitest'
import {type LabClients, startLabClients} from '../../support/lab-clients.ts'

let lab: LabClients
beforeAll(async () => {
  lab = await startLabClients()
})
afterAll(() => lab?.[Symbol.asyncDispose]())

test('criRoutes() lists, pulls and removes images, and gives one id for one in all calls', async () => {
  const image = {image: 'quay.example/app:1'}
  expect((await lab.images.imageStatus({image})).image).toBeUndefined()
  const {imageRef} = await lab.images.pullImage({image, auth: {username: 'u', password: 'hunter3'}})
  const {image: found} = await lab.images.imageStatus({image})
  expect(found).toMatchObject({id: imageRef, repoTags: [image.image], pinned: false})
  expect(Number(found?.size)).toBeGreaterThan(0)
  const {images} = await lab.images.listImages({filter: {image}})
  const pieces: number[] = []
  for await (const piece of lab.images.streamImages({})) pieces.push(piece.images.length)
  expect([images, pieces]).toEqual([[found], [2]])
  expect(await lab.cri.listImages()).toBe(2)
  const sandbox = await lab.run('image')
  const config = {metadata: {name: 'image'}, image: {image: imageRef}}
  const {containerId} = await lab.runtime.createContainer({podSandboxId: sandbox, config})
  expect((await lab.runtime.containerStatus({containerId})).status).toMatchObject({imageId: imageRef, image})
  expect((await lab.runtime.listContainers({filter: {id: containerId}})).containers).toMatchObject([{imageId: imageRef, imageRef}])
  await lab.images.removeImage({image: {image: imageRef}})
  expect((await lab.images.imageStatus({image})).image).toBeUndefined()
  expect((await lab.images.imageFsInfo({})).imageFilesystems).toHaveLength(1)
  expect(JSON.stringify(lab.lab.timeline.events)).not.toContain('hunter3')
})

test('criRoutes() tells the metrics that it describes', async () => {
  const {sandbox, container} = await lab.running('metrics')
  const {descriptors} = await lab.runtime.listMetricDescriptors({})
  const {podMetrics} = await lab.runtime.listPodSandboxMetrics({})
  const its = podMetrics.find(({podSandboxId}) => podSandboxId === sandbox)?.containerMetrics
  expect(its).toMatchObject([{containerId: container}])
  expect(its?.[0]?.metrics.map(({name, labelValues}) => [name, labelValues.length])).toEqual(
    descriptors.map(({name, labelKeys}) => [name, labelKeys.length]),
  )
  const pieces = []
  for await (const piece of lab.runtime.streamPodSandboxMetrics({})) pieces.push(...piece.podSandboxMetrics)
  expect(pieces).toHaveLength(podMetrics.length)
})
