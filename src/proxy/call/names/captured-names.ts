// Names in what was kept of a call's bytes.
import {type DescMessage, fromBinary, type Message} from '@bufbuild/protobuf'
import {Capture} from '../message/capture.ts'
import {answerHasNames, learnFromAnswer, learnFromRequest} from './learn.ts'
import type {NameIndex} from './name-index.ts'

/** Requests are small; one that is larger is not decoded for its names alone. */
export const mostOfRequest = 1024 * 1024
/** Lists are not. */
const mostOfAnswer = 16 * 1024 * 1024

export function answerCaptureOf(method: string): Capture | undefined {
  return answerHasNames(method) ? new Capture(mostOfAnswer) : undefined
}

export function firstMessage(desc: DescMessage, capture: Capture): Message | undefined {
  return tried(() => {
    const first = capture.messages().next()
    return first.done ? undefined : fromBinary(desc, first.value)
  })
}

/** @param answer absent when it went wrong or has no names */
export function learn(method: string, request: Message | undefined, answer: Capture | undefined, names: NameIndex): void {
  if (request !== undefined) learnFromRequest(request, names)
  if (answer === undefined) return
  tried(() => {
    for (const message of answer.messages()) learnFromAnswer(method, message, names, request)
  })
}

/** Whatever passes is not ours: that nobody can read it is no reason to stop. */
function tried<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
