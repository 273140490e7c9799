import {mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync} from 'node:fs'
import {createServer} from 'node:net'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {openBundle} from '../../../src/node/bundle.ts'
import {manifest, mountinfo, pods} from '../../support/bundle.ts'
import {makeFifo} from '../../support/fifo.ts'

let top = ''
let bundle = ''

function put(name: string, content: string): void {
  const path = join(bundle, name)
  mkdirSync(dirname(path), {recursive: true})
  writeFileSync(path, content)
}

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'bundle-'))
  bundle = join(top, 'b')
  put('bundle.json', JSON.stringify(manifest))
  put('kernel/mountinfo', mountinfo)
  put('kubelet/pods.json', pods)
})
afterEach(() => rmSync(top, {recursive: true}))

async function mountsAfter(breakIt: () => void) {
  rmSync(join(bundle, 'kernel'), {recursive: true})
  breakIt()
  const {readings} = await openBundle(bundle)
  // One broken file is one failed reading.
  expect(readings['kubelet.pods'].state).toBe('read')
  return readings['kernel.mounts']
}

describe('openBundle() of a folder', () => {
  test('openBundle() reads each source as the bundle says', async () => {
    const snapshot = await openBundle(bundle)
    expect(snapshot).toMatchObject({
      node: 'n1',
      when: Date.parse('2026-11-30T03:11:04Z'),
      kubeletRoot: '/var/lib/kubelet',
      kubeletVersion: '1.26.5',
      unread: {'moon.phase': 'not asked for'},
    })
    expect(snapshot.readings).toMatchObject({
      'kernel.mounts': {state: 'read'},
      'kubelet.pods': {state: 'read'},
      'kubelet.log': {state: 'failed', why: 'no answer in 2s', tookMs: 2000},
      'api.pods': {state: 'absent', why: 'no kubeconfig'},
      'disk.entries': {state: 'absent', why: 'not in the bundle'},
      processes: {state: 'failed', why: 'permission denied'},
    })
  })

  const cannot = "Cannot read 'kernel/mountinfo' of the bundle as it must be a regular file: it is"
  const broken: readonly (readonly [string, string, () => void])[] = [
    ['a file that is not there', "the bundle has no 'kernel/mountinfo'", () => undefined],
    [
      'a file where a folder must be',
      "Cannot read 'kernel' of the bundle as it must be a folder: it is a regular file",
      () => put('kernel', 'x'),
    ],
    ['a folder where a file must be', `${cannot} a folder`, () => mkdirSync(join(bundle, 'kernel/mountinfo'), {recursive: true})],
    [
      'a link that leads out',
      `${cannot} a symbolic link`,
      () => {
        mkdirSync(join(bundle, 'kernel'))
        symlinkSync('/proc/self/mountinfo', join(bundle, 'kernel/mountinfo'))
      },
    ],
    [
      'a link to itself',
      `${cannot} a symbolic link`,
      () => {
        mkdirSync(join(bundle, 'kernel'))
        symlinkSync('mountinfo', join(bundle, 'kernel/mountinfo'))
      },
    ],
    [
      'a folder that is a link out',
      "Cannot read 'kernel' of the bundle as it must be a folder: it is a symbolic link",
      () => symlinkSync('/proc/self', join(bundle, 'kernel')),
    ],
    [
      'a FIFO, without waiting for its writer',
      `${cannot} a FIFO`,
      () => {
        mkdirSync(join(bundle, 'kernel'))
        makeFifo(join(bundle, 'kernel/mountinfo'))
      },
    ],
    [
      'a file that is too large',
      "Cannot read 'kernel/mountinfo' of the bundle as it must have at most 64 MiB, all files 256 MiB: it is larger",
      () => {
        put('kernel/mountinfo', '')
        truncateSync(join(bundle, 'kernel/mountinfo'), 65 * 1024 * 1024)
      },
    ],
    [
      'garbage',
      'Cannot read the mount table as its lines must be those of /proc/PID/mountinfo: not one of them is',
      () => put('kernel/mountinfo', 'x'),
    ],
  ]

  test.each(broken)('openBundle() makes %s a failed reading', async (_, why, breakIt) => {
    expect(await mountsAfter(breakIt)).toEqual({state: 'failed', why})
  })

  test('openBundle() makes a socket a failed reading', async () => {
    rmSync(join(bundle, 'kernel/mountinfo'))
    const server = createServer().listen(join(bundle, 'kernel/mountinfo'))
    const {readings} = await openBundle(bundle)
    expect(readings['kernel.mounts']).toEqual({state: 'failed', why: `${cannot} a socket`})
    await new Promise((closed) => server.close(closed))
  })

  test('openBundle() does not follow a bundle.json that is a link', async () => {
    rmSync(join(bundle, 'bundle.json'))
    symlinkSync('/etc/hostname', join(bundle, 'bundle.json'))
    await expect(openBundle(bundle)).rejects.toThrow(
      `Cannot open ${bundle}: Cannot read 'bundle.json' of the bundle as it must be a regular file: it is a symbolic link`,
    )
  })

  test('openBundle() names what it cannot open and what a bundle is', async () => {
    const hint = /kubelimbo snapshot/
    await expect(openBundle(join(top, 'none'))).rejects.toMatchObject({
      message: `Cannot open the bundle ${join(top, 'none')}: there is no such file or folder`,
      hint: expect.stringMatching(hint),
    })
    await expect(openBundle(top)).rejects.toMatchObject({
      message: `Cannot open ${top} as a bundle must have a bundle.json: it has none`,
      hint: expect.stringMatching(hint),
    })
    makeFifo(join(top, 'fifo'))
    await expect(openBundle(join(top, 'fifo'))).rejects.toMatchObject({
      message: `Cannot open ${join(top, 'fifo')} as a bundle must be a folder or an archive: it is a FIFO`,
      hint: expect.stringMatching(hint),
    })
  })
})
