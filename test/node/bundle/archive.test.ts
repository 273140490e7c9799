import {createWriteStream, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {Readable} from 'node:stream'
import {pipeline} from 'node:stream/promises'
import {createGzip, gzipSync} from 'node:zlib'
import fc from 'fast-check'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {UserError} from '../../../src/base/errors.ts'
import {openBundle} from '../../../src/node/bundle.ts'
import {manifest, mountinfo, pods} from '../../support/bundle.ts'
import {pax, type TarEntry, tar, tarEntry} from '../../support/tar.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bundle-'))
})
afterAll(() => rmSync(folder, {recursive: true}))

const good: readonly TarEntry[] = [
  {name: 'bundle.json', content: JSON.stringify(manifest)},
  {name: 'kernel/', flag: '5'},
  {name: 'kernel/mountinfo', content: mountinfo},
  {name: 'kubelet/pods.json', content: pods},
]

function opened(bytes: Uint8Array) {
  const path = join(folder, 'x.tgz')
  writeFileSync(path, bytes)
  return openBundle(path)
}

/** The message without the path, which differs from run to run. */
async function refusal(bytes: Uint8Array): Promise<string> {
  const error = await opened(bytes).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(UserError)
  return String((error as UserError).message).replace(join(folder, 'x.tgz'), 'x.tgz')
}

describe('openBundle() of an archive', () => {
  test.each<[string, Uint8Array]>([
    ['a tar', tar(good)],
    ['a tar.gz', gzipSync(tar(good))],
    ['a tar.gz of two members', Buffer.concat([gzipSync(tar(good).subarray(0, 700)), gzipSync(tar(good).subarray(700))])],
    ['a tar with ./ before the names', tar([{name: './', flag: '5'}, ...good.map((entry) => ({...entry, name: `./${entry.name}`}))])],
    ['a tar of a folder', tar([{name: 'node-n1/', flag: '5'}, ...good.map((entry) => ({...entry, name: `node-n1/${entry.name}`}))])],
    [
      'a tar with long names',
      tar([
        pax({path: 'bundle.json'}),
        {name: 'short', content: JSON.stringify(manifest)},
        ...good.slice(1),
        {name: `${'d/'.repeat(40)}f`},
      ]),
    ],
    ['a tar padded to a whole record', Buffer.concat([tar(good), Buffer.alloc(8192)])],
  ])('openBundle() reads %s', async (_, bytes) => {
    const {node, readings} = await opened(bytes)
    expect(node).toBe('n1')
    expect(readings['kernel.mounts']).toMatchObject({state: 'read', value: [{mountPoint: '/var/lib/kubelet'}]})
    expect(readings['kubelet.pods']).toMatchObject({state: 'read', value: [{uid: 'u1'}]})
  })

  const hostile: readonly (readonly [string, readonly TarEntry[], string])[] = [
    ['a name that leads out', [{name: '../etc/passwd'}], "its entries must have plain relative names: one is '../etc/passwd'"],
    [
      'a name that leads out and in again',
      [{name: 'a/../../x.tgz/b'}],
      "its entries must have plain relative names: one is 'a/../../x.tgz/b'",
    ],
    ['an absolute name', [{name: '/etc/passwd'}], "its entries must have plain relative names: one is '/etc/passwd'"],
    ['a name with a backslash', [{name: '..\\..\\x'}], "its entries must have plain relative names: one is '..\\..\\x'"],
    ['a drive', [{name: 'C:\\x'}], "its entries must have plain relative names: one is 'C:\\x'"],
    ['a NUL in a name', [pax({path: 'a\0b'}), {name: 'x'}], "its entries must have plain relative names: one is 'a\\u{0}b'"],
    ['a folder that leads out', [{name: '../x/', flag: '5'}], "its entries must have plain relative names: one is '../x/'"],
    ['a symbolic link', [{name: 'api', flag: '2', link: '/etc'}], "its entries must be files and folders: 'api' is a symbolic link"],
    ['a hard link', [{name: 'h', flag: '1', link: '/etc/shadow'}], "its entries must be files and folders: 'h' is a hard link"],
    ['a character device', [{name: 'c', flag: '3'}], "its entries must be files and folders: 'c' is a device"],
    ['a block device', [{name: 'b', flag: '4'}], "its entries must be files and folders: 'b' is a device"],
    ['a FIFO', [{name: 'f', flag: '6'}], "its entries must be files and folders: 'f' is a FIFO"],
    ['one name twice', [{name: 'a'}, {name: 'a'}], "its entries must have different names: 'a' is there twice"],
    ['one name in two spellings', [{name: 'a/b'}, {name: './a//b'}], "its entries must have different names: './a//b' is there twice"],
    ['a second bundle.json', [{name: 'bundle.json'}], "its entries must have different names: 'bundle.json' is there twice"],
    ['a file said to be huge', [{name: 'a', size: 8 ** 11 - 1}], "a file in it must have at most 64 MiB: 'a' has more"],
    ['a file said to be huge by pax', [pax({size: '99999999999999'}), {name: 'a'}], "a file in it must have at most 64 MiB: 'a' has more"],
    ['an escape sequence in a name', [{name: '/\x1b[2Jx'}], "its entries must have plain relative names: one is '/\\u{1b}[2Jx'"],
    ['a name that turns the text around', [{name: '/\u202ex'}], "its entries must have plain relative names: one is '/\\u{202e}x'"],
  ]

  test.each(hostile)('openBundle() refuses %s', async (_, entries, why) => {
    expect(await refusal(tar([...good, ...entries]))).toBe(`Cannot open x.tgz as ${why}`)
    expect(await refusal(gzipSync(tar([...entries, ...good])))).toContain('Cannot open x.tgz as ')
  })

  test('openBundle() refuses 30,000 entries', async () => {
    const many = Array.from({length: 30_000}, (_, index) => ({name: `f${index}`}))
    expect(await refusal(gzipSync(tar(many)))).toBe('Cannot open x.tgz as it must have at most 20000 entries: it has more')
  })

  test.each<[string, Uint8Array, string]>([
    ['nothing', Buffer.alloc(0), 'it must be a folder, a tar or a tar.gz: it is none of them'],
    ['a text', Buffer.from('hello\n'.repeat(300)), 'it must be a tar or a tar.gz: it is none, or damaged (Invalid tar number.)'],
    ['JSON', Buffer.from(JSON.stringify(manifest)), 'it must be a tar or a tar.gz: it is none, or damaged (Invalid tar number.)'],
    ['a tar without an end', tar(good).subarray(0, -1024), 'it must be a whole archive: it breaks off'],
    ['a tar cut in a header', tar(good).subarray(0, 700), 'it must be a whole archive: it breaks off'],
    ['a tar cut in a file', tar([{name: 'a', content: 'x'.repeat(5000)}]).subarray(0, 2000), 'it must be a whole archive: it breaks off'],
    ['a tar.gz cut in the middle', gzipSync(tar(good)).subarray(0, 200), 'it must be a whole archive: it breaks off'],
    ['a tar.gz of a text', gzipSync('hello\n'.repeat(300)), 'it must be a tar or a tar.gz: it is none, or damaged (Invalid tar number.)'],
    [
      'a tar with something behind it',
      Buffer.concat([tar(good), Buffer.from('x')]),
      'it must be a tar or a tar.gz: it is none, or damaged (Invalid EOF.)',
    ],
    ['an empty tar', tar([]), 'a bundle must have a bundle.json: it has none'],
    [
      'a tar of two folders',
      tar(good.map((entry, index) => ({...entry, name: `${index % 2}/${entry.name}`}))),
      'a bundle must have a bundle.json: it has none',
    ],
  ])('openBundle() refuses %s', async (_, bytes, why) => {
    expect(await refusal(bytes)).toBe(`Cannot open x.tgz as ${why}`)
  })

  test('openBundle() refuses a damaged tar.gz', async () => {
    const damaged = gzipSync(tar(good))
    damaged[damaged.length - 8] = (damaged.at(-8) ?? 0) ^ 1
    expect(await refusal(damaged)).toBe('Cannot open x.tgz as it must be a sound tar.gz: it is damaged (incorrect data check)')
  })

  test.each([
    [
      'files of zeros',
      (index: number) =>
        index < 5 ? Buffer.concat([tarEntry({name: `z${index}`, size: 60 * 1024 * 1024}), Buffer.alloc(60 * 1024 * 1024)]) : undefined,
    ],
    ['zeros behind the end', (index: number) => (index < 300 ? Buffer.alloc(1024 * 1024) : undefined)],
  ])('openBundle() stops inflating 300 MiB of %s', {timeout: 30_000}, async (_, piece) => {
    const path = join(folder, 'bomb.tgz')
    const pieces = function* () {
      for (let index = 0, next = piece(index); next !== undefined; next = piece(++index)) yield next
    }
    await pipeline(Readable.from(pieces()), createGzip({level: 1}), createWriteStream(path))
    await expect(openBundle(path)).rejects.toThrow(`Cannot open ${path} as a bundle must have at most 256 MiB inflated: it has more`)
  })

  test('openBundle() ends with a snapshot or a UserError, whatever bytes come', async () => {
    const entry = fc.record({
      name: fc.string({maxLength: 30}),
      flag: fc.constantFrom(...'012345670xgLKS\0'),
      content: fc.uint8Array({maxLength: 600}),
      size: fc.option(fc.nat(2000), {nil: undefined}),
    })
    const made = fc
      .tuple(fc.array(entry, {maxLength: 4}), fc.array(fc.tuple(fc.nat(3000), fc.nat(255)), {maxLength: 3}))
      .map(([entries, flips]) => {
        const bytes = tar([...good.slice(0, 1), ...entries.map(({size, ...rest}) => (size === undefined ? rest : {...rest, size}))])
        for (const [at, value] of flips) bytes[at % bytes.length] = value
        return bytes
      })
    await fc.assert(
      fc.asyncProperty(fc.oneof(made, fc.uint8Array({maxLength: 3000})), fc.boolean(), async (bytes, zipped) => {
        await opened(zipped ? gzipSync(bytes) : bytes).catch((error) => expect(error).toBeInstanceOf(UserError))
      }),
      {numRuns: 200},
    )
  })
})
