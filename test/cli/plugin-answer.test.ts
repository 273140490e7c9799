import {describe, expect, test} from 'vitest'
import {UserError} from '../../src/base/errors.ts'
import {Interrupted} from '../../src/cli/interrupted.ts'
import {pluginAnswer} from '../../src/cli/plugin-answer.ts'
import {describeError} from '../../src/cli/report-error.ts'

const usage = describeError(new UserError('Cannot do it', {hint: 'do\nthat'}), false)
const unknown = {stdout: 'UNKNOWN - Cannot do it (hint: do\\nthat)\n', lines: [], exit: 3}

describe('pluginAnswer()', () => {
  test.each([
    [['check', '-o', 'nagios'], unknown],
    [['chek', '-o', 'nagios'], unknown],
    [['-onagios'], unknown],
    [['-o=nagios', '--nonsense'], unknown],
    [['--output', 'nagios', '--from'], unknown],
    [['--from', 'x', '--output=nagios'], unknown],
    [['-o', 'json', '-o', 'nagios'], unknown],
    [['-o', 'npd'], {stdout: 'Cannot do it\n', lines: usage.lines, exit: 2}],
    [['-o', 'nagios', '-o', 'json'], undefined],
    [['-o', 'nagios', '--json'], undefined],
    [['--from', 'nagios'], undefined],
    [['-o'], undefined],
    [[], undefined],
  ])('pluginAnswer() to %j', async (argv, expected) => {
    expect(await pluginAnswer(argv, usage)).toEqual(expected)
  })

  test.each([
    ['could not look', new UserError('Too late', {exit: 3}), 'UNKNOWN - Too late\n'],
    [
      'failed by our fault',
      new TypeError('x'),
      'UNKNOWN - this is a bug in kubelimbo: x (hint: KUBELIMBO_DEBUG=1 shows where, for the report)\n',
    ],
  ])('pluginAnswer() of a check that %s', async (_what, error, stdout) => {
    expect(await pluginAnswer(['-o', 'nagios'], describeError(error, false))).toEqual({stdout, lines: [], exit: 3})
  })

  test('pluginAnswer() leaves a stack trace to whoever asks for one', async () => {
    const answer = await pluginAnswer(['-o', 'nagios'], describeError(new UserError('Cannot do it', {hint: 'do that'}), true))
    expect(answer?.stdout).toBe('UNKNOWN - Cannot do it (hint: do that)\n')
    expect(answer?.lines.join('\n')).toMatch(/^UserError: Cannot do it\n +at /)
  })

  test('pluginAnswer() leaves signals alone, and an end without words', async () => {
    expect(await pluginAnswer(['-o', 'nagios'], describeError(new Interrupted('SIGTERM'), false))).toBeUndefined()
    expect(await pluginAnswer(['-o', 'npd'], describeError(new Interrupted('SIGINT'), true))).toBeUndefined()
    expect(await pluginAnswer(['-o', 'nagios'], {lines: [], exit: 0})).toBeUndefined()
  })
})
