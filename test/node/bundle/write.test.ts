import {mkdtempSync, readdirSync, readFileSync, rmSync, statSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, describe, expect, test} from 'vitest'
import {detect} from '../../../src/findings/detect.ts'
import {detectors} from '../../../src/findings/detectors.ts'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import {bundleContent, writeBundle} from '../../../src/node/bundle/write.ts'
import {openBundle} from '../../../src/node/bundle.ts'
import {failed, read} from '../../../src/node/reading.ts'
import type {Snapshot} from '../../../src/node/snapshot.ts'
import {snapshotOf} from '../../support/snapshot-builder.ts'

const folder = mkdtempSync(join(tmpdir(), 'kl-'))
afterAll(() => rmSync(folder, {recursive: true}))

async function again(snapshot: Snapshot, name: string): Promise<Snapshot> {
  const path = join(folder, `${name}.tar.gz`)
  await writeBundle(path, bundleContent(snapshot, 'kubelimbo 0.0.0'), snapshot.when)
  return openBundle(path)
}

describe('writeBundle()', () => {
  test.each(readdirSync('fixtures/nodes'))('keeps what %s says: the same detection, without its secrets', async (name) => {
    const before = await openBundle(`fixtures/nodes/${name}`, {keepReplies: true})
    const after = await again(before, name)
    const profile = profileOf('1.26.5')
    expect(detect(after, profile, detectors)).toEqual(detect(before, profile, detectors))
    expect(after.readings['kernel.mounts']).toEqual(
      await openBundle(`fixtures/nodes/${name}`).then(({readings}) => readings['kernel.mounts']),
    )
    expect(after.readings['kubelet.pods']).toEqual(read(expect.any(Array)))
  })

  test('keeps each source that is in our own words, and why others were not read', async () => {
    const snapshot = snapshotOf({
      files: ['pods/u1/'],
      volData: {'pods/u1/vol_data.json': {driverName: 'd', volumeHandle: 'h'}},
      sources: {
        'kubelet.healthz': {ok: true, text: 'ok'},
        'disk.mounts': [{mountPoint: '/m', outcome: {state: 'error', code: 'ENOTCONN'}}],
        'csi.registrations': [{socket: '/r.sock', answer: {state: 'refused', why: 'refused'}}],
        'csi.drivers': [{socket: '/d.sock', answer: {state: 'answers'}, name: 'd', ready: false, capabilities: ['STAGE_UNSTAGE_VOLUME']}],
        'kernel.devices': [{device: '7:0', name: 'loop0', backingFile: '/x (deleted)'}],
        'kernel.boot': {id: 'b', at: 5},
        processes: [{pid: 7, startedAt: 1.5, state: 'Z', cgroup: '/k8s.io/x', containerId: 'x'}],
        takeovers: [{path: '/run/kubelimbo/takeover/1.json', unreadable: 'cut'}],
        'api.node': {name: 'n1', volumesInUse: ['v'], volumesAttached: []},
      },
    })
    const partial: Snapshot = {
      ...snapshot,
      kubeletRootReal: '/data/kubelet',
      readings: {
        ...snapshot.readings,
        'kubelet.log': failed('no answer', 2000),
        'disk.entries': read(
          [
            {path: '', type: 'directory', mode: 0o755, size: 1, modifiedAt: 1000, device: '8:1'},
            {path: 'a', type: 'directory', mode: 0o755, size: 1, content: {entries: 3, more: true, bytes: 5, newestAt: 2000}},
            {path: 'b', type: 'directory', mode: 0o755, size: 1, content: {entries: 0, bytes: 0}},
          ],
          'too many',
        ),
      },
    }
    const after = await again(partial, 'own')
    expect(after).toMatchObject({node: 'n1', when: partial.when, kubeletRootReal: '/data/kubelet'})
    expect(after.readings).toEqual(partial.readings)
  })

  test('makes a file that only its owner can read, the same bytes each time, and none over another', async () => {
    const content = bundleContent(snapshotOf({files: []}), 'kubelimbo 0.0.0')
    const [one, two] = [join(folder, 'one.tar.gz'), join(folder, 'two.tar.gz')]
    await writeBundle(one, content, 1000)
    await writeBundle(two, content, 1000)
    expect(statSync(one).mode & 0o777).toBe(0o600)
    expect(readFileSync(one).equals(readFileSync(two))).toBe(true)
    await expect(writeBundle(one, content, 1000)).rejects.toThrow(/must be a new file: it is there already/)
    await expect(writeBundle(join(folder, 'no/such'), content, 1000)).rejects.toThrow(/its folder is not there/)
  })

  test('says of a reply that was not kept that it was not', async () => {
    const after = await again(snapshotOf({sources: {'kubelet.pods': []}}), 'not-kept')
    expect(after.readings['kubelet.pods']).toEqual(failed('the reply was not kept'))
  })
})
