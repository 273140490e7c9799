import {expect, test} from 'vitest'
import {Interrupted} from '../../src/cli/interrupted.ts'
import {tellingIfEarly} from '../../src/cli/stopped-early.ts'
import type {InjectRequest} from '../../src/inject.ts'
import type {InjectHears, InjectStarted} from '../../src/proxy/control/inject-hears.ts'

const hears = {started: () => undefined} as unknown as InjectHears
const taking = {take: {}} as unknown as InjectRequest
const listening = {listen: '', upstream: ''} as unknown as InjectRequest

async function toldBy(request: InjectRequest, error: Error, begins: boolean): Promise<readonly string[]> {
  const told: string[] = []
  const inject = async (_: InjectRequest, heard: InjectHears) => {
    if (begins) heard.started({} as InjectStarted)
    throw error
  }
  await expect(tellingIfEarly(inject, request, hears, (text) => told.push(text))).rejects.toBe(error)
  return told
}

test('tellingIfEarly() tells whoever stops it before it began, and nobody else', async () => {
  const stopped = new Interrupted('SIGINT')
  expect(await toldBy(taking, stopped, false)).toEqual(['Stopped before it began: nothing was taken over.'])
  expect(await toldBy(listening, stopped, false)).toEqual(['Stopped before it began: nothing was changed.'])
  expect(await toldBy(taking, stopped, true)).toEqual([])
  expect(await toldBy(taking, new Error('no'), false)).toEqual([])
})
