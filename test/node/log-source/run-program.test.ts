import {describe, expect, test} from 'vitest'
import {runProgram} from '../../../src/node/log-source/run-program.ts'

const never = new AbortController().signal

describe('runProgram()', () => {
  test('hands over the end of the output', async () => {
    const result = await runProgram('sh', ['-c', 'seq 1 200000; echo oops >&2; exit 3'], {signal: never, keep: 14})
    expect(result).toEqual({missing: false, exitCode: 3, stdout: '199999\n200000\n', cut: true, stderr: 'oops\n'})
  })

  test('speaks the language that we read', async () => {
    expect(await runProgram('sh', ['-c', 'echo $LC_ALL'], {signal: never, keep: 100})).toMatchObject({stdout: 'C\n', cut: false})
  })

  test('says that there is no such program', async () => {
    expect(await runProgram('no-such-program', [], {signal: never, keep: 1})).toMatchObject({missing: true, exitCode: undefined})
  })

  test('ends a program with the reason of the signal', async () => {
    const controller = new AbortController()
    const running = runProgram('sleep', ['1000'], {signal: controller.signal, keep: 1})
    controller.abort(new Error('enough'))
    await expect(running).rejects.toThrow('enough')
  })
})
