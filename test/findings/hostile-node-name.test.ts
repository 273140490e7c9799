// A bundle says the node's name: a command that is copied from a report must not run what is in it.
import {expect, test} from 'vitest'
import {detect} from '../../src/findings/detect.ts'
import {detectors} from '../../src/findings/detectors.ts'
import {wordsOf} from '../support/examined/shell.ts'
import {goldenCases, openCase} from '../support/golden-case.ts'

const hostile = "n1;touch /tmp/x $(id) `id` 'q"

test.each(goldenCases)('every command of %s keeps the name of the node one word', async (name) => {
  const {snapshot, profile} = await openCase(name)
  const commands = detect({...snapshot, node: hostile}, profile, detectors).findings.flatMap(({remedy}) =>
    remedy.map(({command}) => command),
  )
  for (const command of commands.filter((each) => each.includes('touch')))
    expect(
      wordsOf(command).filter((word) => word.includes(hostile)),
      command,
    ).toHaveLength(1)
})

test('some of these commands do have the name of the node', async () => {
  const found = await Promise.all(
    goldenCases.map(async (name) => {
      const {snapshot, profile} = await openCase(name)
      return detect({...snapshot, node: hostile}, profile, detectors).findings
    }),
  )
  const codes = found
    .flat()
    .filter(({remedy}) => remedy.some(({command}) => command.includes('touch')))
    .map(({code}) => code)
  expect([...new Set(codes)].toSorted()).toEqual(expect.arrayContaining(['C01', 'C02', 'C03', 'U01', 'U02']))
})
