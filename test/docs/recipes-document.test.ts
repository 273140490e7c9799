import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {recipesDocument} from '../../docs/recipes-document.ts'
import {recipes} from '../../src/proxy/recipes/recipes.ts'

test('recipesDocument() of the recipes is docs/recipes.md (npm run docs)', () => {
  expect(readFileSync('docs/recipes.md', 'utf8')).toBe(recipesDocument(recipes))
})

test('recipesDocument() has each recipe, each sentence about a kubelet, and no name that is left open', () => {
  const text = recipesDocument(recipes)
  for (const {name, kubelet} of recipes) {
    expect(text).toContain(`\n## ${name}\n`)
    for (const words of kubelet) expect(text).toContain(words.text)
  }
  expect(text).not.toMatch(/\{(pod|podName|namespace|claim|container|node)\}|\(\?\)/)
})

test('recipesDocument() leads to sections of docs/bugs.md that are there', () => {
  const bugs = readFileSync('docs/bugs.md', 'utf8')
  const named = [...recipesDocument(recipes).matchAll(/\(bugs\.md#([\w-]+)\)/g)].map(([, name]) => name)
  expect(named.length).toBeGreaterThan(20)
  for (const name of named) expect(bugs).toContain(`\n## ${name}\n`)
})
