// npm run docs: writes docs/recipes.md.
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {recipes} from '../src/proxy/recipes/recipes.ts'
import {recipesDocument} from './recipes-document.ts'

await writeFile(join(import.meta.dirname, 'recipes.md'), recipesDocument(recipes))
