import {describe, expect, test} from 'vitest'
import {systemClock} from '../../src/base/clock.ts'
import {UserError} from '../../src/base/errors.ts'
import {absent, failed} from '../../src/node/reading.ts'
import {readSideBySide, type SourceReader} from '../../src/node/side-by-side.ts'

const never: SourceReader = {what: 'the log', names: ['kubelet.log'], read: () => new Promise(() => undefined)}
const quick: SourceReader = {what: 'the API server', names: ['api.pods'], read: async () => ({'api.pods': absent('none here')})}
const options = () => ({clock: systemClock, signal: new AbortController().signal, ms: 50, waiting: new Set<string>()})

describe('readSideBySide()', () => {
  test('lets a source that hangs cost only itself', async () => {
    const readings = await readSideBySide([never, quick], options())
    expect(readings).toEqual({
      'api.pods': absent('none here'),
      'kubelet.log': {...failed('the log has not answered within 50ms'), tookMs: expect.any(Number)},
    })
  })

  test('makes a reading of whatever a source throws', async () => {
    const broken: SourceReader = {...quick, read: () => Promise.reject(new Error('boom\nat x'))}
    expect(await readSideBySide([broken], options())).toMatchObject({'api.pods': {state: 'failed', why: 'boom'}})
  })

  test('says who is still waited for', async () => {
    const waiting = new Set<string>()
    const done = readSideBySide([never, quick], {...options(), waiting})
    expect([...waiting]).toEqual(['the log', 'the API server'])
    await done
    expect([...waiting]).toEqual([])
  })

  test('does not hide what is wrong with the command line', async () => {
    const wrong: SourceReader = {...quick, read: () => Promise.reject(new UserError('Cannot read --kubeconfig'))}
    await expect(readSideBySide([wrong], options())).rejects.toThrow('Cannot read --kubeconfig')
  })

  test('ends when it is told to', async () => {
    const controller = new AbortController()
    const done = readSideBySide([never], {...options(), ms: 60_000, signal: controller.signal})
    controller.abort(new Error('enough'))
    await expect(done).rejects.toThrow('enough')
  })
})
