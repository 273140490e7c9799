// npm run docs: writes docs/bugs.md.
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {shippedScenarios} from '../src/scenario/shipped.ts'
import {bugsDocument} from './bugs-document.ts'

await writeFile(join(import.meta.dirname, 'bugs.md'), bugsDocument(await shippedScenarios()))
