import {readdirSync, readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {shippedFiles} from '../../src/base/shipped-files.ts'

test('shippedFiles() has the files of a folder by name', async () => {
  const here = process.cwd()
  const files = await shippedFiles('fixtures/scenarios')
  expect(files.map(({path}) => path)).toEqual(
    readdirSync(`${here}/fixtures/scenarios`)
      .sort()
      .map((name) => `fixtures/scenarios/${name}`),
  )
  expect(files[0]?.text).toBe(readFileSync(`${here}/${files[0]?.path}`, 'utf8'))
})

test('shippedFiles() of a folder that is nowhere is our bug', async () => {
  await expect(shippedFiles('fixtures/nowhere')).rejects.toThrow('fixtures/nowhere is not where it was installed')
})
