import {expect, test} from 'vitest'
import {parseRules} from '../../../src/faults/file/read-rules.ts'
import {mustSuitTaken} from '../../../src/proxy/stand/suits-taken.ts'

const rulesOf = (...kinds: readonly string[]) =>
  parseRules(`rules: [${kinds.map((kind) => `{name: my-${kind}, fault: {kind: ${kind}}}`).join(', ')}]`, 'r').rules

test('mustSuitTaken() refuses what needs a socket of its own, and nothing else', () => {
  expect(() => mustSuitTaken(rulesOf('hang-call', 'refuse', 'no-socket', 'accept-silent'))).not.toThrow()
  expect(() => mustSuitTaken(rulesOf('hang-call', 'register-lost'))).toThrow(
    "Cannot have the rule 'my-register-lost' on a socket that is taken over as register-lost needs a socket of its own, that clients are pointed at",
  )
})
