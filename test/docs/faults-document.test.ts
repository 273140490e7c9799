import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {faults} from '../../src/faults/faults.ts'
import {readRules} from '../../src/faults/file/read-rules.ts'

const document = readFileSync('docs/faults.md', 'utf8')

test('the example of the document is read', () => {
  const [, text = ''] = /```yaml\n(.*?)```/s.exec(document) ?? []
  expect(readRules(text, 'doc.yaml')).toMatchObject({problems: [], value: {rules: [{per: 'pvc'}, {probability: 0.5}]}})
})

const rows = document.split('\n').flatMap((line) => {
  const [, kind, also, takes] = /^\| `([a-z-]+)` \| (?:`([a-z-]+)`)? ?\| (.*?) ?\| .+ \|$/.exec(line) ?? []
  return kind === undefined ? [] : [{kind, also, takes: takes ?? ''}]
})

test('the table of the document has each kind of fault, and the name that scenarios have for it', () => {
  const ofTable = rows.map(({kind, also}) => [kind, also])
  const all = faults.filter(({caseOf}) => caseOf === undefined).map(({kind, also}) => [kind, also])
  expect(ofTable.filter(([kind], index) => ofTable.findIndex(([other]) => other === kind) === index)).toEqual(all)
  for (const {kind, caseOf} of faults) if (caseOf !== undefined) expect(document).toContain(`\`${kind}\``)
})

test('the table of the document has what each kind takes', () => {
  for (const {kind, caseOf, needs, may, oneOf = []} of faults) {
    if (caseOf !== undefined) continue
    const takes = rows.filter((row) => row.kind === kind).map((row) => row.takes)
    for (const name of [...needs, ...may, ...oneOf])
      expect(`${kind}: ${takes.join()}`).toMatch(new RegExp(`\`${name === 'ms' ? 'for' : name}\\b`))
  }
})
