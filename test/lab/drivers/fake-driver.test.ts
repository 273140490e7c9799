import {expect, test} from 'vitest'
import {seeded} from '../../../src/base/dice.ts'
import {simulatedClock} from '../../../src/base/simulated-clock.ts'
import type {CsiMethods, VolumeMode} from '../../../src/kubelet/csi.ts'
import {CallFailure} from '../../../src/kubelet/port.ts'
import {memoryDisk} from '../../../src/lab/disk/memory-disk.ts'
import {type DriverOptions, fakeDriver} from '../../../src/lab/drivers/fake-driver.ts'
import {PortCaller} from '../../../src/lab/port/server.ts'
import {outcomeWithin} from '../../support/simulated-run.ts'

const staging = '/staging/v'
const target = '/pods/u/mount'

function lab(options: Partial<DriverOptions> = {}, mode: VolumeMode = 'Filesystem') {
  const clock = simulatedClock(0)
  const disk = memoryDisk(clock.now)
  const driver = fakeDriver({name: 'd', ...options}, disk, clock, seeded(1))
  driver.controller.createVolume('v', mode)
  const {node} = driver
  const calls = {
    stage: (path = staging, as = mode) =>
      node.NodeStageVolume({volumeId: 'v', stagingTargetPath: path, volumeMode: as}, new PortCaller(Number.POSITIVE_INFINITY)),
    unstage: (path = staging) => node.NodeUnstageVolume({volumeId: 'v', stagingTargetPath: path}, new PortCaller(Number.POSITIVE_INFINITY)),
    publish: (path = target, volumeId = 'v') => {
      const request: CsiMethods['NodePublishVolume']['request'] = {
        volumeId,
        stagingTargetPath: staging,
        targetPath: path,
        volumeMode: mode,
        readonly: false,
      }
      return node.NodePublishVolume(request, new PortCaller(Number.POSITIVE_INFINITY))
    },
    unpublish: (path = target, volumeId = 'v') =>
      node.NodeUnpublishVolume({volumeId, targetPath: path}, new PortCaller(Number.POSITIVE_INFINITY)),
  }
  const ask = async (...works: readonly (() => unknown)[]) => {
    const answers: unknown[] = []
    for (const work of works) {
      const outcome = await outcomeWithin(clock, 100, async () => work())
      answers.push(typeof outcome?.value === 'string' ? outcome.value : outcome === undefined ? 'no answer' : 'OK')
    }
    return answers
  }
  const left = () => disk.listing('/').map(({path, kind, mounted}) => `${path} ${mounted ?? kind}`)
  return {clock, disk, driver, ask, left, ...calls}
}

test.each<[VolumeMode, string[]]>([
  ['Filesystem', ['/pods directory', '/pods/u directory', '/pods/u/mount d/v', '/staging directory', '/staging/v d/v']],
  ['Block', ['/pods directory', '/pods/u directory', '/pods/u/mount d/v', '/staging directory', '/staging/v directory']],
])('a volume of mode %s is staged, published, unpublished and unstaged, each as often as one likes', async (mode, mounted) => {
  const {ask, left, driver, stage, publish, unpublish, unstage} = lab({}, mode)
  expect(await ask(stage, stage, publish, publish)).toEqual(['OK', 'OK', 'OK', 'OK'])
  expect(left()).toEqual(mounted)
  expect(driver.volumes()).toMatchObject([{stagedAt: staging, publishedAt: [target]}])
  expect(await ask(unpublish, unpublish, unstage, unstage)).toEqual(['OK', 'OK', 'OK', 'OK'])
  // The kubelet's directories are the kubelet's.
  expect(left()).toEqual(['/pods directory', '/pods/u directory', '/staging directory', '/staging/v directory'])
  expect(driver.volumes()).toMatchObject([{stagedAt: undefined, publishedAt: []}])
})

test('what is written at one target is there at the other, and after it was staged anew', async () => {
  const {ask, disk, stage, publish, unpublish, unstage} = lab()
  await ask(stage, publish, () => publish('/other'))
  await disk.writeFile(`${target}/file`, 'kept')
  expect(await disk.readFile('/other/file')).toBe('kept')
  await ask(unpublish, () => unpublish('/other'), unstage, stage, publish)
  expect(await disk.readFile(`${target}/file`)).toBe('kept')
})

type Lab = ReturnType<typeof lab>

test.each<[string, Partial<DriverOptions>, (it: Lab) => (() => unknown)[], string]>([
  ['a publish of what is not staged', {}, ({publish}) => [publish], 'FAILED_PRECONDITION'],
  ['a publish from where it is not staged', {}, ({stage, publish}) => [() => stage('/else'), publish], 'FAILED_PRECONDITION'],
  ['a publish by a driver that does not stage', {capabilities: []}, ({publish}) => [publish], 'OK'],
  ['a stage elsewhere', {}, ({stage}) => [stage, () => stage('/else')], 'FAILED_PRECONDITION'],
  ['a stage with another mode', {}, ({stage}) => [() => stage(staging, 'Block')], 'INVALID_ARGUMENT'],
  ['an unstage of what is published', {}, ({stage, publish, unstage}) => [stage, publish, unstage], 'FAILED_PRECONDITION'],
  [
    'an unstage of what is published, by the hostpath driver',
    {stillPublished: 'INTERNAL'},
    ({stage, publish, unstage}) => [stage, publish, unstage],
    'INTERNAL',
  ],
  ['a publish of what nobody created', {}, ({publish}) => [() => publish(target, 'w')], 'NOT_FOUND'],
  ['an unpublish of what nobody created', {}, ({unpublish}) => [() => unpublish(target, 'w')], 'NOT_FOUND'],
  ['an unstage after its deletion', {}, ({driver, unstage}) => [() => driver.controller.deleteVolume('v'), unstage], 'NOT_FOUND'],
  ['a deletion while it is staged', {}, ({stage, driver}) => [stage, () => driver.controller.deleteVolume('v')], 'FAILED_PRECONDITION'],
])('%s', async (_, options, script, code) => {
  const it = lab(options)
  expect((await it.ask(...script(it))).at(-1)).toBe(code)
})

test('an inline volume is made by its publish and goes with its unpublish', async () => {
  const {ask, driver, publish, unpublish, left} = lab()
  const handle = `csi-${'a'.repeat(64)}`
  expect(await ask(() => publish(target, handle))).toEqual(['OK'])
  expect(left()).toContain(`${target} d/${handle}`)
  expect(await ask(() => unpublish(target, handle))).toEqual(['OK'])
  expect(driver.volumes().map((volume) => volume.handle)).toEqual(['v'])
})

test('while one operation is pending the others of the volume are ABORTED, and it goes on without its caller', async () => {
  const {clock, ask, left, driver, stage, unstage, publish} = lab({takes: {NodeStageVolume: 130_000}})
  const caller = new PortCaller(Number.POSITIVE_INFINITY)
  void driver.node.NodeStageVolume({volumeId: 'v', stagingTargetPath: staging, volumeMode: 'Filesystem'}, caller)
  await clock.run(120_000)
  caller.leave(new CallFailure('DEADLINE_EXCEEDED', 'context deadline exceeded'))
  expect(await ask(stage, unstage, publish)).toEqual(['ABORTED', 'ABORTED', 'ABORTED'])
  expect(left()).toEqual([])
  await clock.run(130_000)
  expect(left()).toEqual(['/staging directory', '/staging/v d/v'])
  expect(await ask(unstage)).toEqual(['OK'])
})

test('stop() breaks the calls and leaves their work undone; what was done is known after start()', async () => {
  const {clock, ask, driver, stage, publish, left} = lab({takes: {NodePublishVolume: 1000}})
  await ask(stage)
  let code: unknown
  void Promise.resolve(publish()).catch((error: CallFailure) => {
    code = error.code
  })
  await clock.run(500)
  driver.stop()
  expect(await ask(stage, () => driver.node.NodeGetCapabilities({}, new PortCaller(Number.POSITIVE_INFINITY)))).toEqual([
    'UNAVAILABLE',
    'UNAVAILABLE',
  ])
  expect([code, driver.identity.probe().ready]).toEqual(['UNAVAILABLE', false])
  driver.start()
  await clock.run(5000)
  expect(left()).not.toContain('/pods')
  expect(driver.volumes()).toMatchObject([{stagedAt: staging, publishedAt: []}])
  expect(await ask(stage)).toEqual(['OK'])
})
