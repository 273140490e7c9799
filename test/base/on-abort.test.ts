import {expect, test} from 'vitest'
import {onAbort} from '../../src/base/on-abort.ts'

test('onAbort() calls back once each, in the order in which they asked, but not who took it back', () => {
  const controller = new AbortController()
  const heard: string[] = []
  onAbort(controller.signal, () => heard.push('first'))
  const stay = onAbort(controller.signal, () => heard.push('second'))
  onAbort(controller.signal, () => heard.push('third'))
  stay()
  controller.abort()
  controller.abort()
  expect(heard).toEqual(['first', 'third'])
})

test('onAbort() takes the same function twice', () => {
  const controller = new AbortController()
  let heard = 0
  const hear = () => heard++
  onAbort(controller.signal, hear)
  onAbort(controller.signal, hear)()
  controller.abort()
  expect(heard).toBe(1)
})

test('onAbort() lets one who hears keep another from hearing', () => {
  const controller = new AbortController()
  const heard: string[] = []
  onAbort(controller.signal, () => {
    heard.push('first')
    stay()
  })
  const stay = onAbort(controller.signal, () => heard.push('second'))
  controller.abort()
  expect(heard).toEqual(['first'])
})
