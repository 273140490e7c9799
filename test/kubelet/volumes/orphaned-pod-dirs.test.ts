import {expect, test} from 'vitest'
import type {Disk} from '../../../src/kubelet/disk.ts'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import {orphanedPodDirs} from '../../../src/kubelet/volumes/orphaned-pod-dirs.ts'
import {podVolumePaths} from '../../../src/kubelet/volumes/pod-volumes-on-disk.ts'
import {type MemoryDisk, memoryDisk} from '../../../src/lab/disk/memory-disk.ts'
import {leftOn} from '../../support/left-on.ts'
import {switched} from '../../support/model-pods.ts'

const pods = '/var/lib/kubelet/pods'
const volume = `${pods}/gone/volumes/kubernetes.io~csi/pv1`

async function cleaned(profile: ReturnType<typeof profileOf>, fill: (disk: MemoryDisk) => Promise<unknown>, known: string[] = []) {
  const disk = memoryDisk(() => 0)
  await fill(disk)
  const logs: string[] = []
  const paths = podVolumePaths(profile, disk as Disk)
  const clean = orphanedPodDirs({
    profile,
    disk,
    podVolumePaths: paths,
    podVolumesExist: paths.anyMounted,
    log: ({text, fields}) => void logs.push([text, fields?.err].filter(Boolean).join(' ')),
    signal: new AbortController().signal,
  })
  await clean(async () => new Set(known))
  return {left: leftOn(disk), logs}
}

const empty = (disk: MemoryDisk) => disk.mkdirAll(`${volume}/mount`)
const withData = async (disk: MemoryDisk) => {
  await disk.mkdirAll(volume)
  await disk.writeFile(`${volume}/vol_data.json`, '{}')
}
const mounted = async (disk: MemoryDisk) => {
  await empty(disk)
  await disk.mount(disk.makeFilesystem('data'), `${volume}/mount`)
}
const below = 'pods/gone/volumes/kubernetes.io~csi/pv1'

test.each([
  ['1.17.3', 'no volume', (disk: MemoryDisk) => disk.mkdirAll(`${pods}/gone/volumes`), ['pods']],
  ['1.17.3', 'an empty target', empty, [`${below}/mount`]],
  ['1.17.3', 'vol_data.json', withData, [`${below}/vol_data.json`]],
  ['1.21.2', 'an empty target', empty, ['pods']],
  ['1.21.2', 'vol_data.json', withData, ['pods']],
  ['1.26.5', 'an empty target', empty, ['pods']],
  ['1.26.5', 'vol_data.json', withData, [`${below}/vol_data.json`]],
  ['1.36.2', 'vol_data.json', withData, [`${below}/vol_data.json`]],
  ['1.36.2', 'a mount', mounted, [`${below}/mount (mounted)`]],
  // It looks for a mount where none ever is, and has another reason to leave it.
  ['1.17.3', 'a mount', mounted, [`${below}/mount (mounted)`]],
])('orphanedPodDirs() of %s leaves of a directory with %s: %#', async (version, _what, fill, expected) => {
  expect((await cleaned(profileOf(version), fill)).left).toEqual(expected)
})

test.each([
  ['orphan-targets-removed', '1.21.2', true, empty, ['pods']],
  ['orphan-targets-removed', '1.21.2', false, empty, [`${below}/mount`]],
  ['orphans-emptied', '1.26.5', true, withData, [`${below}/vol_data.json`]],
  ['orphans-emptied', '1.26.5', false, withData, ['pods']],
] as const)('orphanedPodDirs() with %s in %s, %s', async (name, version, on, fill, expected) => {
  expect((await cleaned(switched(version, name, on), fill)).left).toEqual(expected)
})

test('orphanedPodDirs() touches nothing of a pod that the API server or the runtime has', async () => {
  expect(await cleaned(profileOf('1.36.2'), empty, ['gone'])).toEqual({left: [`${below}/mount`], logs: []})
})

test('orphanedPodDirs() says one error for all', async () => {
  const two = async (disk: MemoryDisk) => {
    await withData(disk)
    await disk.mkdirAll(`${pods}/too/volumes/kubernetes.io~csi/pv2`)
    await disk.writeFile(`${pods}/too/volumes/kubernetes.io~csi/pv2/vol_data.json`, '{}')
  }
  const {logs} = await cleaned(profileOf('1.36.2'), two)
  expect(logs).toEqual([expect.stringMatching(/^There were many similar errors\. .* orphaned pod "gone" found, but error occurred/)])
})
