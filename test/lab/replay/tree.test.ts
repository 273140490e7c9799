import {lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {beforeEach, expect, onTestFinished, test} from 'vitest'
import {Tree} from '../../../src/lab/replay/tree.ts'

let outside: string
let root: string

beforeEach(() => {
  outside = mkdtempSync(join(tmpdir(), 'kl-'))
  root = join(outside, 'root')
  const made = new Tree()
  made.directory('root')
  made.write(outside)
  onTestFinished(() => rmSync(outside, {recursive: true}))
})

test('Tree.write() makes folders, files and links with their modes and times', () => {
  const tree = new Tree()
  tree.file('/a/b/file', 'text', {mode: 0o640, modifiedAt: 1_700_000_000_000})
  tree.directory('/a/b', {mode: 0o750, modifiedAt: 1_600_000_000_000})
  tree.link('/a/link', '../elsewhere', {modifiedAt: 1_500_000_000_000})
  tree.write(root)
  const file = statSync(join(root, 'a/b/file'))
  expect([file.mode & 0o777, file.mtimeMs, readFileSync(join(root, 'a/b/file'), 'utf8')]).toEqual([0o640, 1_700_000_000_000, 'text'])
  const folder = statSync(join(root, 'a/b'))
  expect([folder.mode & 0o777, folder.mtimeMs]).toEqual([0o750, 1_600_000_000_000])
  expect([readlinkSync(join(root, 'a/link')), lstatSync(join(root, 'a/link')).mtimeMs]).toEqual(['../elsewhere', 1_500_000_000_000])
})

test('Tree.write() leaves our own way into a folder open, and gives nobody the rights of a file', () => {
  const tree = new Tree()
  tree.directory('/closed', {mode: 0})
  tree.file('/closed/setuid', '', {mode: 0o4755})
  tree.write(root)
  expect(statSync(join(root, 'closed')).mode & 0o7777).toBe(0o700)
  expect(statSync(join(root, 'closed/setuid')).mode & 0o7777).toBe(0o755)
})

test.each(['/link/inside', '/link/deep/inside', 'link//inside'])('Tree.write() makes nothing through a link of the bundle: %s', (path) => {
  const tree = new Tree()
  tree.link('/link', outside)
  tree.file(path, 'planted')
  tree.write(root)
  expect(readdirSync(outside)).toEqual(['root'])
  expect(readdirSync(root)).toEqual(['link'])
})

test.each(['/../out', 'a/../../out', '/a/../../out', 'a\0b', `/${'n'.repeat(256)}`, '/', ''])(
  'Tree leaves out a path that leads elsewhere: %j',
  (path) => {
    const tree = new Tree()
    tree.file(path, 'planted')
    tree.write(root)
    expect(readdirSync(outside)).toEqual(['root'])
    expect(readdirSync(root)).toEqual([])
  },
)

test('Tree.write() leaves out what lies deeper than any kubelet has it', () => {
  const tree = new Tree()
  tree.file('a/'.repeat(1400), '')
  tree.file(`${'b/'.repeat(63)}c`, '')
  tree.write(root)
  expect(readdirSync(root)).toEqual(['b'])
})
