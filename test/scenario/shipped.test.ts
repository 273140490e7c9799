import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, expect, test} from 'vitest'
import {parse} from 'yaml'
import {scenarioFile, scenariosNamed, scenarioToShow} from '../../src/scenario/shipped.ts'
import {sampleScenario} from '../support/sample-scenario.ts'

const folder = mkdtempSync(join(tmpdir(), 'kl-'))
afterAll(() => rmSync(folder, {recursive: true}))

const file = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

test('scenariosNamed() reads JSON, and each file once, however it is named', async () => {
  const path = file('mine.json', JSON.stringify(parse(sampleScenario)))
  const found = await scenariosNamed([path, join(folder, '.', 'mine.json'), `${folder}/../${folder.split('/').at(-1)}/mine.json`])
  expect(found.map(({label}) => label)).toEqual(['A4'])
})

test('scenariosNamed() tells of the first that is wrong, however long it took to find out', async () => {
  // The second is known to be wrong at once, the first only when all of it was read.
  const large = file('slow.yaml', ' '.repeat(1_000_001))
  await expect(scenariosNamed([large, join(folder, 'missing.yaml')])).rejects.toThrow('slow.yaml')
  await expect(scenariosNamed([join(folder, 'missing.yaml'), large])).rejects.toThrow('missing.yaml')
})

test.each([
  ['large.yaml', ' '.repeat(1_000_001), 'it must be at most 1 MB: it is larger'],
  ['latin.yaml', Uint8Array.of(0x74, 0x3a, 0x20, 0xe4), 'it must be a file that can be read: it is not UTF-8'],
])('scenarioFile() refuses %s before it is parsed', async (name, content, says) => {
  const path = file(name, content)
  await expect(scenarioFile(path)).rejects.toThrow(`Cannot read scenario ${path} as ${says}`)
})

test('scenarioFile() refuses a folder, and takes what has an ending of JSON for a file', async () => {
  await expect(scenarioFile(`${folder}/`)).rejects.toThrow('must be a file that can be read: EISDIR')
  await expect(scenarioFile('none.json')).rejects.toThrow('Cannot read scenario none.json as it must be a file that can be read: ENOENT')
})

test('scenarioToShow() shows scenarios, also such with mistakes, and nothing else', async () => {
  expect(await scenarioToShow(file('bad.yaml', `${sampleScenario}odd: 1\n`))).toContain('odd: 1')
  expect(await scenarioToShow(file('some.json', '{"apiVersion": "kubelimbo/v1", "kind": "Scenario"}'))).toContain('Scenario')
  const path = file('passwd.yaml', 'root:x:0:0::/root:/bin/sh\n')
  await expect(scenarioToShow(path)).rejects.toThrow(`Cannot show ${path} as it must be a scenario: it has no 'kind: Scenario'`)
})
