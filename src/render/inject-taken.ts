// A socket that was taken over, in words: what that means for its clients, and how it ended.

import {formatDuration} from '../base/duration.ts'
import type {UnderWay} from '../proxy/call/under-way.ts'
import type {InjectStarted, TakenSocket, WhyEnded} from '../proxy/control/inject-hears.ts'

/** Two lines and more: until when, and what else is needed. */
export function takenLines({listen, upstream, expiresAt, seed}: InjectStarted, taken: TakenSocket): readonly string[] {
  return [
    `${listen} is taken over until ${expiresAt} (seed ${seed}); its server goes on at ${upstream}.`,
    'It is given back at Ctrl-C, by itself when the time is over or this process is gone, and by `kubelimbo restore`.',
    ...effectLines(taken),
    ...(taken.protected ? ['Calls about kube-system pass; --force takes those, too.'] : []),
  ]
}

const notYet = 'The kubelet has not connected yet.'

/** csi_client.go dials for each call; cri-client keeps one connection for good. */
export function effectLines({callee, restart}: TakenSocket): readonly string[] {
  if (callee === 'csi') return ['It takes effect from the next call: the kubelet dials a CSI driver for each.']
  const unknown = 'The server does not say what it is. A kubelet dials a CSI driver for each call; of a container runtime:'
  if (restart?.unseen) {
    const reached = `Only clients that connect from now on are reached: ${restart.words}. One that is connected already must be restarted.`
    return callee === 'cri' ? [reached, notYet] : [unknown, reached]
  }
  const anew =
    restart?.command === undefined
      ? `it must be restarted: ${restart?.words}`
      : `\`${restart.command}\` has it connect anew (${restart.words})`
  const keeps = `The kubelet keeps the connection that it has: ${anew}. At the end no restart is needed.`
  if (callee === 'cri') return [keeps, notYet]
  return [unknown, keeps]
}

export function leavingLine(listen: string, {clients, server}: Readonly<UnderWay>, forMs: number): string {
  const calls = Math.max(clients, server)
  const are = calls === 1 ? '1 call is' : `${calls} calls are`
  return `${listen} is given back. ${are} under way, and may end within ${formatDuration(forMs)}; Ctrl-C cuts them off.`
}

export function endedWords(why: WhyEnded, listen: string): string {
  switch (why) {
    case 'expired':
      return `The time is over: no rule is in force, and ${listen} is its server's again.`
    case 'stopped':
      return `Stopped: no rule is in force, and ${listen} is its server's again.`
    case 'server restarted':
      return `The server has restarted and has ${listen} again, which is left alone: no rule is in force.`
    case 'server gone':
      return `The server is gone, and nobody listens on ${listen}: no rule is in force.`
    case 'given back':
      return `${listen} was given back by somebody else: no rule is in force.`
    case 'socket removed':
      return `Somebody has removed ${listen}, so it is its server's again: no rule is in force.`
    case 'watchdog lost':
      return `There was nobody to watch over ${listen}, so it is its server's again: no rule is in force.`
    case 'journal lost':
      return `The journal of ${listen} was removed, so it is its server's again: no rule is in force.`
    case 'left dirty':
      return `No rule is in force, but ${listen} could not be given back: run \`kubelimbo restore\`.`
    default:
      return why satisfies never
  }
}
