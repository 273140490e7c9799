import {afterEach, expect, test, vi} from 'vitest'
import {readYaml} from '../../../src/base/yaml/yaml-text.ts'

const told = (text: string) => readYaml(text, 'scenario').problems.map(({what, offset}) => [what, text.slice(0, offset).split('\n').length])

afterEach(() => void vi.restoreAllMocks())

test.each([
  ['a: 1\nb: *nope\n', 'there is no anchor &nope before *nope', 2],
  ['a: *late\nb: &late 1\n', 'there is no anchor &late before *late', 1],
  ['a: 1\n? [a, b]\n: 2\n', 'a key is a list or a map, and must be a text', 2],
  ['a: &m {b: 1}\n*m : 2\n', 'a key is a list or a map, and must be a text', 2],
  ['a: 1\n---\nb: 2\n', "a file is one scenario, and after this '---' there is another document", 2],
  ['a:\n\tb: 1\n', 'Tabs are not allowed as indentation', 2],
])('readYaml() of %j says what is wrong, in its line', (text, says, line) => {
  expect(told(text)[0]).toEqual([`it must be YAML: ${says}`, line])
})

test('readYaml() tells nothing to anybody but its caller', () => {
  const warn = vi.spyOn(process, 'emitWarning').mockReturnValue()
  readYaml('? [a, b]\n: 2\n', 'scenario')
  readYaml('a: !mine 1\n', 'scenario')
  expect(warn).not.toHaveBeenCalled()
})

test.each([
  ['lists', '['.repeat(20_000)],
  ['closed lists', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
  ['maps', '{a: '.repeat(20_000)],
])('readYaml() of %s in one another says in one sentence that they are too deep', (_, text) => {
  expect(told(text)).toEqual([['it must be YAML: lists and maps are nested too deeply', 1]])
})

test('readYaml() tells of the first mistake of a line, and of ten at most', () => {
  const lines = told('a: 1\n'.concat('\tb: [}\n'.repeat(30))).map(([, line]) => line)
  expect(new Set(lines).size).toBe(lines.length)
  expect(lines.length).toBeLessThanOrEqual(10)
})

test('readYaml() does not look into more than a megabyte', () => {
  expect(told('['.repeat(1_000_001))).toEqual([['it must be at most 1 MB: it is 1.0 MB', 1]])
  expect(readYaml(`a: ${'x'.repeat(999_000)}`, 'scenario').problems).toEqual([])
})
