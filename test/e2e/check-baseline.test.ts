// check --baseline: what fails is what is new.
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {Ajv} from 'ajv'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import schema from '../../fixtures/schema/check-report.json' with {type: 'json'}
import {makeFifo} from '../support/fifo.ts'
import {kubelimbo, printed} from '../support/kubelimbo.ts'

const folder = mkdtempSync(join(tmpdir(), 'kl-'))
afterAll(() => rmSync(folder, {recursive: true}))

const stuck = ['check', '--from', 'fixtures/nodes/blockpub-hang-terminating', '--fail-on', 'info']
const path = (name: string) => join(folder, name)

beforeAll(async () => {
  const report = JSON.parse(await printed(['check', '--from', 'fixtures/nodes/blockpub-hang-terminating', '-o', 'json']))
  writeFileSync(path('same.json'), JSON.stringify(report))
  writeFileSync(path('same.yaml'), await printed(['check', '--from', 'fixtures/nodes/blockpub-hang-terminating', '-o', 'yaml']))
  writeFileSync(path('clean.json'), JSON.stringify({...report, findings: []}))
})

test.each([
  ['same.json', 0],
  ['same.yaml', 0],
  ['clean.json', 1],
])('check --baseline %s ends with %d, in each format', async (name, exit) => {
  for (const output of ['table', 'json', 'yaml', 'junit', 'nagios', 'npd', 'prometheus']) {
    const {exitCode} = await kubelimbo([...stuck, '--baseline', path(name), '-o', output])
    expect([output, exitCode]).toEqual([output, exit])
  }
})

test('check --baseline shows what is known, marked, in the published shape', async () => {
  const json = await kubelimbo([...stuck, '--baseline', path('same.json'), '-o', 'json'])
  const report = JSON.parse(json.stdout)
  expect(new Ajv({strict: true, allowUnionTypes: true}).validate(schema, report)).toBe(true)
  expect(report.metadata.baseline).toEqual({node: 'n1', when: '2026-11-30T03:01:32Z'})
  expect(report.findings).toMatchObject([{code: 'U02', known: true}])
  const table = await kubelimbo([...stuck, '--baseline', path('same.json')])
  expect(table.stdout).toContain('\nINFO U02 publish-uncertain (known)\n')
})

test('check --baseline takes a report that was compared for a baseline, too', async () => {
  const {stdout} = await kubelimbo([...stuck, '--baseline', path('same.json'), '-o', 'json'])
  writeFileSync(path('compared.json'), stdout)
  expect((await kubelimbo([...stuck, '--baseline', path('compared.json')])).exitCode).toBe(0)
})

describe('check --baseline', () => {
  test.each([
    ['a file that is not there', 'none.json', (_path: string) => undefined, ': there is no such file or folder'],
    ['a pipe', 'pipe', makeFifo, ' as it must be a regular file: it is a FIFO'],
    ['a folder', '', (_path: string) => undefined, ' as it must be a regular file: it is a folder'],
  ])('refuses %s in one sentence', async (_what, name, make, says) => {
    make(path(name))
    const {exitCode, stdout, stderr} = await kubelimbo([...stuck, '--baseline', path(name)])
    expect([exitCode, stdout, stderr]).toEqual([2, '', `kubelimbo: Cannot read the baseline ${path(name)}${says}`])
  })

  test('says what is wrong with a file that is no report', async () => {
    writeFileSync(path('bundle.json'), '{"apiVersion": "kubelimbo/v1", "kind": "NodeBundle"}')
    const {exitCode, stderr} = await kubelimbo([...stuck, '--baseline', path('bundle.json')])
    expect([exitCode, stderr.split('\n')]).toEqual([
      2,
      [
        `kubelimbo: Cannot use ${path('bundle.json')} as a baseline as 'kind' must be "CheckReport": it is "NodeBundle"`,
        'hint: a baseline is what `kubelimbo check -o json` printed before',
      ],
    ])
  })
})
