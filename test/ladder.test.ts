// The diagram of the house: a folder of src/ imports only from folders to its left. The verbs are the files at the top of src/.
import {readdirSync, readFileSync} from 'node:fs'
import {dirname, join, relative, resolve} from 'node:path'
import {expect, test} from 'vitest'

const ladder = 'base timeline http2 wire node kubelet findings faults proxy lab scenario live render tui VERBS cli commands'.split(' ')

const top = resolve(import.meta.dirname, '..')

function sourceFiles(folder: string): string[] {
  return readdirSync(join(top, folder), {recursive: true, encoding: 'utf8'})
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name))
}

function rungOf(path: string): string {
  const [first, second, third] = path.split('/')
  if (first === 'commands') return 'commands'
  return third === undefined ? 'VERBS' : (second ?? '')
}

const files = [...sourceFiles('src'), ...sourceFiles('commands')]
const imports = files.flatMap((file) =>
  [...readFileSync(join(top, file), 'utf8').matchAll(/(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g)].map(([, target]) => ({
    from: file,
    to: relative(top, resolve(top, dirname(file), target ?? '')),
  })),
)

test('the ladder knows every folder of src/', () => {
  expect(files.map(rungOf).filter((rung) => !ladder.includes(rung))).toEqual([])
})

test('a folder imports only from folders to its left', () => {
  // main.ts starts the command line, so it stands with cli.
  const climbs = imports.filter(({from, to}) => {
    const up = from === join('src', 'main.ts') ? 'cli' : rungOf(from)
    return ladder.indexOf(rungOf(to)) > ladder.indexOf(up) && !to.startsWith('..')
  })
  expect(climbs).toEqual([])
})

test('sees the imports at all', () => {
  expect(imports.length).toBeGreaterThan(files.length / 2)
})

test('a file of src/ has at most 300 lines, a command at most 40', () => {
  const long = files
    .filter((file) => !file.includes('/gen/'))
    .map((file) => ({file, lines: readFileSync(join(top, file), 'utf8').split('\n').length - 1}))
    .filter(({file, lines}) => lines > (file.startsWith('commands') ? 40 : 300))
  expect(long).toEqual([])
})
