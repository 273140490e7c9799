import {expect, test} from 'vitest'
import type {Stream} from '../../../src/http2/stream.ts'
import {type Opening, Openings} from '../../../src/proxy/relay/openings.ts'

function opening(name: string, log: string[]): Opening {
  return {
    start: () => {
      log.push(`start ${name}`)
      return {} as Stream
    },
    resolve: () => void log.push(`resolve ${name}`),
    reject: (reason) => void log.push(`reject ${name}: ${reason.message}`),
  }
}

test('Openings starts in order as far as there is room, and none that was given up', () => {
  let room = 1
  const log: string[] = []
  const openings = new Openings(() => room-- > 0)
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => opening(name, log))
  for (const each of [a, b, c, d]) if (each) openings.add(each)
  expect(log).toEqual(['start a', 'resolve a'])
  if (b) openings.giveUp(b, new Error('enough'))
  room = 1
  openings.pump()
  openings.fail(new Error('gone'))
  openings.pump()
  expect(log.slice(2)).toEqual(['reject b: enough', 'start c', 'resolve c', 'reject d: gone'])
})
