import {expect, test} from 'vitest'
import {usageSentence} from '../../src/cli/usage-sentence.ts'

test.for([
  ['command pots not found', "Cannot run 'pots' as it must be one of the commands that --help shows: it is none"],
  [
    'Nonexistent flags: --a, --b\nSee more help with --help',
    'Cannot run this as every flag must be one that --help shows: --a, --b is not',
  ],
  ['Flag --id expects a value', 'Cannot use --id as it must have a value: it has none'],
  [
    'Parsing --last \n\tExpected an integer but received: 1.5\nSee more help with --help',
    "Cannot use --last as it must be a whole number: it is '1.5'",
  ],
  [
    'Expected --output=x=y to be one of: table, json, yaml\nSee more help with --help',
    "Cannot use --output as it must be one of table, json, yaml: it is 'x=y'",
  ],
  [
    'Missing 1 required arg:\nwhat  NAMESPACE/POD or a path\nSee more help with --help',
    'Cannot run this as it must be told what (NAMESPACE/POD or a path): it is not',
  ],
  ['Something new:\n  - a\n  - b', 'Something new:: - a: - b'],
] as const)('usageSentence() makes one sentence of %j', ([message, sentence]) => {
  expect(usageSentence(message)).toBe(sentence)
})
