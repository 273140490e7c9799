import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {decodeOctal, parseMountinfo} from '../../src/node/mountinfo.ts'

const whole = '43 42 254:0 /data/v1 /var/lib/kubelet/pods/u/mount rw,relatime shared:2 - ext4 /dev/vda rw,discard'

const lines: readonly [string, string, object][] = [
  [
    'a plain line',
    whole,
    {id: 43, parent: 42, device: '254:0', root: '/data/v1', mountPoint: '/var/lib/kubelet/pods/u/mount', optional: ['shared:2']},
  ],
  [
    'no optional field',
    '45 27 0:39 / /shm rw,nosuid - tmpfs shm rw,size=65536k',
    {optional: [], fsType: 'tmpfs', source: 'shm', superOptions: 'rw,size=65536k'},
  ],
  [
    'several optional fields',
    '1 2 0:1 / /a rw shared:1 master:2 propagate_from:3 unbindable - tmpfs x rw',
    {optional: ['shared:1', 'master:2', 'propagate_from:3', 'unbindable']},
  ],
  [
    'escapes',
    '1 2 0:1 /r\\040o /a\\040b\\011c\\012d\\134e rw - ext4 /dev/a\\043b\\040c rw',
    {root: '/r o', mountPoint: '/a b\tc\nd\\e', source: '/dev/a#b c'},
  ],
  ['an escaped backslash before digits', '1 2 0:1 / /a\\134040 rw - ext4 x rw', {mountPoint: '/a\\040'}],
  ['a backslash that escapes nothing', '1 2 0:1 / /a\\9\\zb rw - ext4 x rw', {mountPoint: '/a\\9\\zb'}],
  ['a deleted root', '1 2 0:1 /data/v1//deleted /m rw - ext4 x rw', {root: '/data/v1//deleted', mountPoint: '/m'}],
  ['a deleted mount point', '1 2 0:1 / /m\\040(deleted) rw - ext4 x rw', {mountPoint: '/m (deleted)'}],
  ['an empty source', '1 2 0:1 / /m rw - tmpfs  rw', {fsType: 'tmpfs', source: '', superOptions: 'rw'}],
  ['a share', '1 2 0:1 / /m rw - cifs //srv/share rw', {source: '//srv/share'}],
  ['a source with a colon', '1 2 0:1 / /m rw - nfs4 :/ rw', {source: ':/'}],
  ['source none', '1 2 0:1 / /m rw - devtmpfs none rw', {source: 'none'}],
  ['a dash inside a path', '1 2 0:1 /a-b /m/-/c rw shared:1 - ext4 - rw', {root: '/a-b', mountPoint: '/m/-/c', source: '-'}],
  ['a path that is a dash', '1 2 0:1 - - rw - ext4 x rw', {root: '-', mountPoint: '-', fsType: 'ext4'}],
  ['spaces in the super options', '1 2 0:1 / /m rw - fuse x rw,user_id=0,opt=a b, c', {superOptions: 'rw,user_id=0,opt=a b, c'}],
  ['a name space file', '1 2 0:4 net:[4026532299] /run/netns/cni-1 rw shared:5 - nsfs nsfs rw', {root: 'net:[4026532299]'}],
]

describe('parseMountinfo()', () => {
  test.each(lines)('parseMountinfo() reads %s', (_, line, expected) => {
    expect(parseMountinfo(`${line}\n`)).toEqual([expect.objectContaining(expected)])
  })

  test('parseMountinfo() keeps the order, the same mount point twice and the same id twice', () => {
    const text = '7 2 0:1 / /m rw - a x rw\n8 7 0:2 / /m rw - b x rw\n7 2 0:3 / /n rw - c x rw\n'
    expect(parseMountinfo(text).map((mount) => mount.fsType)).toEqual(['a', 'b', 'c'])
  })

  test('parseMountinfo() leaves out a torn last line wherever it was torn', () => {
    const end = whole.indexOf('/dev/vda') + '/dev/vda'.length
    for (let length = 0; length <= end; length++) {
      expect(parseMountinfo(`${whole}\n${whole.slice(0, length)}`)).toHaveLength(1)
    }
  })

  test('parseMountinfo() of no text is no mounts', () => {
    expect(parseMountinfo('')).toEqual([])
    expect(parseMountinfo('\n')).toEqual([])
  })

  test('parseMountinfo() throws one sentence when no line is one of mountinfo', () => {
    expect(() => parseMountinfo('<html>')).toThrow('Cannot read the mount table as its lines must be those of /proc/PID/mountinfo')
  })

  test('parseMountinfo() reads 75,000 lines', () => {
    expect(parseMountinfo(`${whole}\n`.repeat(75_000))).toHaveLength(75_000)
  })

  test('parseMountinfo() throws nothing but its Error', () => {
    fc.assert(
      fc.property(fc.string({unit: fc.constantFrom(...'0:/ -\\\n412ab')}), (text) => {
        try {
          parseMountinfo(text)
        } catch (error) {
          expect(String(error)).toMatch(/^Error: Cannot read the mount table/)
        }
      }),
    )
  })
})

describe('decodeOctal()', () => {
  test('decodeOctal() undoes what the kernel escapes', () => {
    const escaped = (text: string) => text.replace(/[ \t\n\\#]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`)
    fc.assert(
      fc.property(fc.oneof(fc.string({unit: 'grapheme'}), fc.string({unit: fc.constantFrom(...' \t\n\\#04a')})), (path) => {
        expect(decodeOctal(escaped(path))).toBe(path)
      }),
    )
  })
})
