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
    'Parsing --last \n\tExpected an integer but received: \nSee more help with --help',
    "Cannot use --last as it must be a whole number: it is ''",
  ],
  [
    'Parsing --last \n\tExpected an integer greater than or equal to 0 but received: -1\nSee more help with --help',
    "Cannot use --last as it must be 0 or more: it is '-1'",
  ],
  [
    "Parsing --seed \n\tCannot use --seed as it must be so: it is 'x'\nSee more help with --help",
    "Cannot use --seed as it must be so: it is 'x'",
  ],
  ['Flag --seed can only be specified once', 'Cannot use --seed as it must be given once: it is given again'],
  ['Flag --output expects one of these values: a, b', 'Cannot use --output as it must be one of a, b: it has no value'],
  [
    'The following error occurred:\n  --from=x cannot also be provided when using --runtime-endpoint\nSee more help with --help',
    'Cannot use --from as it must be given without --runtime-endpoint: both are given',
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
