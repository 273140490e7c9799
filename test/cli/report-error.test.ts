import {CLIError, ExitError} from '@oclif/core/errors'
import {describe, expect, test} from 'vitest'
import {UserError} from '../../src/base/errors.ts'
import {Interrupted} from '../../src/cli/interrupted.ts'
import {describeError} from '../../src/cli/report-error.ts'

describe('describeError()', () => {
  test("tells of a user's error in one sentence with its hint", () => {
    expect(describeError(new UserError('Cannot do it', {hint: 'do this', exit: 5}), false)).toEqual({
      lines: ['kubelimbo: Cannot do it', 'hint: do this'],
      exit: 5,
    })
  })

  test('takes anything else for a bug of ours, without a stack', () => {
    expect(describeError(new TypeError('x is not a function\nat y'), false)).toEqual({
      lines: ['kubelimbo: this is a bug in kubelimbo: x is not a function', 'hint: KUBELIMBO_DEBUG=1 shows where, for the report'],
      exit: 3,
    })
    expect(describeError('thrown', false)).toMatchObject({lines: ['kubelimbo: this is a bug in kubelimbo: thrown', expect.any(String)]})
  })

  test('shows the stack to whoever asks for it', () => {
    expect(describeError(new TypeError('x'), true).lines.join('\n')).toMatch(/TypeError: x\n +at /)
  })

  test('says nothing when the user stopped it', () => {
    expect(describeError(new Interrupted('SIGINT'), false)).toEqual({lines: [], exit: 130})
    expect(describeError(new Interrupted('SIGTERM'), false)).toEqual({lines: [], exit: 143})
  })

  test("takes oclif's complaints for usage errors, and its exits for exits", () => {
    expect(describeError(new CLIError('command pods:x not found'), false)).toEqual({
      lines: [
        "kubelimbo: Cannot run 'pods x' as it must be one of the commands that --help shows: it is none",
        'hint: --help shows what there is',
      ],
      exit: 2,
    })
    expect(describeError(new ExitError(0), false)).toEqual({lines: [], exit: 0})
  })
})

test('describeError() takes a disk that is full for no bug of ours, wherever it was met', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, mkdir'), {code: 'ENOSPC', path: '/tmp/kl-1'})
  expect(describeError(full, false)).toEqual({
    lines: ['kubelimbo: Cannot write /tmp/kl-1: there is no room left on the disk', 'hint: make room, or name a place on another disk'],
    exit: 3,
  })
})

test('describeError() tells of what could not be undone, rather than of why we stopped', () => {
  const both = Object.assign(new Error('two errors'), {
    name: 'SuppressedError',
    error: new UserError('Cannot take /x.sock away', {exit: 5}),
    suppressed: new Interrupted('SIGTERM'),
  })
  expect(describeError(both, false)).toEqual({lines: ['kubelimbo: Cannot take /x.sock away'], exit: 5})
})
