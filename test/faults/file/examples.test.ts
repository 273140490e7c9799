import {readdirSync, readFileSync} from 'node:fs'
import {basename} from 'node:path'
import {Ajv} from 'ajv'
import {expect, test} from 'vitest'
import {parse} from 'yaml'
import {explain} from '../../../src/faults/explain.ts'
import {publicKinds} from '../../../src/faults/faults.ts'
import {parseRules, readRules} from '../../../src/faults/file/read-rules.ts'

const folder = 'fixtures/faults'
const files = readdirSync(folder)
const editors = new Ajv({allowUnionTypes: true}).compile(JSON.parse(readFileSync('fixtures/schema/rules.json', 'utf8')))
const textOf = (file: string) => readFileSync(`${folder}/${file}`, 'utf8')

test('there is an example of each kind of fault', () => {
  expect(files.map((file) => basename(file, '.yaml')).sort()).toEqual([...publicKinds].sort())
})

test.each(files)('readRules() takes %s, which is about its kind and says where it was seen', (file) => {
  const text = textOf(file)
  const read = readRules(text, file)
  expect(read.problems).toEqual([])
  expect('value' in read ? new Set(read.value.rules.map(({fault}) => fault.kind)) : undefined).toEqual(new Set([basename(file, '.yaml')]))
  expect(text).toMatch(/^# .*(\/\S+#\d+|No report of it is known)/s)
})

test.each(files)('the schema for editors takes %s', (file) => {
  expect(editors(parse(textOf(file))) || editors.errors).toBe(true)
})

test('explain() says all of them', async () => {
  const lines = files.flatMap((file) => [file, ...parseRules(textOf(file), file).rules.map((rule) => `  ${rule.name}: ${explain(rule)}`)])
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('examples.txt')
})
