// What an injector does, as it does it: lines for people, or lines of JSON.
import {shellWord} from '../findings/shell-word.ts'
import type {TracedCall} from '../proxy/call/traced-call.ts'
import type {UnderWay} from '../proxy/call/under-way.ts'
import type {InjectHears, InjectStarted, WhyEnded} from '../proxy/control/inject-hears.ts'
import {aboutWords, serverWords, shortDuration, timeOfDay} from './call-line.ts'
import {escapedJson, oneLine} from './escaped.ts'
import {endedWords, leavingLine, takenLines} from './inject-taken.ts'

export type InjectOutput = 'text' | 'json'
export const injectOutputs = ['text', 'json'] as const

/** @param print a piece that ends in a line break @param tell a warning */
export function injectLines(output: InjectOutput, print: (text: string) => void, tell: (text: string) => void): InjectHears {
  const lines = (texts: readonly string[]) => print(texts.map((text) => `${oneLine(text)}\n`).join(''))
  const json = (value: object) => print(`${escapedJson(JSON.stringify(value))}\n`)
  let listen = ''
  let isTaken = false
  if (output === 'json')
    return {
      started: (started) => json({apiVersion: 'kubelimbo/v1', kind: 'InjectStarted', ...started}),
      took: (taken) => json({kind: 'Taken', ...taken}),
      fault: (call) => json({kind: 'Fault', ...call}),
      socket: (change) => json({kind: 'SocketFault', ...change}),
      trouble: tell,
      kubelet: (at) => json({kind: 'KubeletConnected', at}),
      leaving: (calls, forMs) => json({kind: 'InjectLeaving', calls, forMs}),
      ended: (why, cutOff) => json({kind: 'InjectEnded', why, cutOff}),
    }
  return {
    started: (started) => {
      listen = started.listen
      isTaken = started.taken !== undefined
      lines(startedLines(started))
    },
    took: ({at, rule, method}) => lines([`${timeOfDay(at)} ${rule} takes ${method}`]),
    fault: (call) => lines([faultLine(call)]),
    socket: ({at, rule, fault, begins}) => lines([`${timeOfDay(at)} ${rule}: ${fault} ${begins ? 'begins' : 'is over'}`]),
    trouble: tell,
    kubelet: (at) => lines([`${timeOfDay(at)} the kubelet has connected`]),
    leaving: (calls, forMs) => lines([leavingLine(listen, calls, forMs)]),
    ended: (why, cutOff) => lines([`${isTaken ? endedWords(why, listen) : goneWords(why, listen)}${cutOffWords(cutOff)}`]),
  }
}

const goneWords = (why: WhyEnded, listen: string): string =>
  `${why === 'expired' ? 'The time is over' : 'Stopped'}: no rule is in force, all connections are closed, and ${listen} is gone.`

/** What the client waits for and what the server does are told apart: the server's work is cancelled, too. */
function cutOffWords({clients, server}: Readonly<UnderWay>): string {
  if (clients + server === 0) return ''
  return ` Cut off were ${clients} that ${clients === 1 ? 'a client' : 'clients'} waited for, and ${server} that the server still worked on.`
}

function startedLines(started: InjectStarted): readonly string[] {
  const {listen, upstream, expiresAt, seed, control, taken, rules} = started
  const wide = Math.max(...rules.map(({name}) => name.length), 0)
  return [
    ...(taken === undefined
      ? [`${listen} stands before ${upstream} until ${expiresAt} (seed ${seed}). Point clients at it; Ctrl-C heals.`]
      : takenLines(started, taken)),
    ...(rules.length === 0 ? ['  no rule is in force: `kubelimbo inject add` adds one'] : []),
    ...rules.map(({name, says}) => `  ${name.padEnd(wide)}  ${says}`),
    `To see and change it: kubelimbo trace --control ${shellWord(control)}, kubelimbo inject list --control ${shellWord(control)}`,
  ]
}

/** '03:00:01.123 stage-hang: NodeStageVolume default/data: the client has DEADLINE_EXCEEDED after 2m; the server ended with OK after 12ms' */
function faultLine(call: TracedCall): string {
  const {at, durationMs, rule = '', method, code, update, skipped, upstream} = call
  const about = aboutWords(call)
  const server = serverWords(call)
  const ended = update ? Math.max(durationMs, upstream?.durationMs ?? 0) : durationMs
  const client = `the client has ${code} after ${shortDuration(durationMs)}`
  const what = [
    ...(skipped === undefined ? [] : [`the rule could do nothing: ${skipped}`]),
    ...(update ? [] : [client]),
    ...(server === '' ? [] : [server]),
  ]
  return `${timeOfDay(at + ended)} ${rule}: ${method}${about === '' ? '' : ` ${about}`}: ${what.join('; ')}`
}
